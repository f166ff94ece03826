"""The stages of training, one file each: a function of input files and options that fills a folder."""

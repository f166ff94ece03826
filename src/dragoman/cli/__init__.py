"""The command `dragoman`: one module per group of commands, loaded only when it is asked for."""

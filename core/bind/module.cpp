#include "bind/bind.h"

NB_MODULE(_core, module) {
  module.doc() = "The native core of Dragoman. Import dragoman, not this.";
  // A leak report at interpreter exit would be noise in a command-line tool.
  nb::set_leak_warnings(false);
  dragoman::bind::register_base(module);
  dragoman::bind::register_text(module);
  dragoman::bind::register_clean(module);
  dragoman::bind::register_corpus(module);
  dragoman::bind::register_splitter(module);
  dragoman::bind::register_casing(module);
  dragoman::bind::register_align(module);
  dragoman::bind::register_align_shards(module);
  dragoman::bind::register_beads(module);
  dragoman::bind::register_index(module);
  dragoman::bind::register_live(module);
  dragoman::bind::register_sources(module);
  dragoman::bind::register_lm(module);
  dragoman::bind::register_nlm(module);
  dragoman::bind::register_nlm_training(module);
  dragoman::bind::register_judge(module);
  dragoman::bind::register_translate(module);
  dragoman::bind::register_tune(module);
  dragoman::bind::register_testing(module);
}

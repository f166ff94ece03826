// The index of a bitext and rule extraction from it.
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "bind/corpus_arguments.h"
#include "bind/options.h"
#include "bind/results.h"
#include "bind/sending.h"
#include "index/index.h"
#include "index/index_builder.h"
#include "index/live_index.h"
#include "index/selection.h"
#include "rules/grammar_pool.h"
#include "rules/phrase_table.h"
#include "rules/rule_counts.h"
#include "text/lines.h"

namespace dragoman::bind {
namespace {

constexpr Option<ExtractOptions> extract_table[] = {
    option<&ExtractOptions::max_rule_span>("max_rule_span"),
    option<&ExtractOptions::max_rule_symbols>("max_rule_symbols"),
    option<&ExtractOptions::max_nonterminals>("max_nonterminals"),
    option<&ExtractOptions::min_gap_size>("min_gap_size"),
    option<&ExtractOptions::max_samples>("max_samples"),
    option<&ExtractOptions::tight>("tight"),
    option<&ExtractOptions::loose_phrases>("loose_phrases"),
    option<&ExtractOptions::long_phrases>("long_phrases"),
    option<&ExtractOptions::lone_words>("lone_words"),
    option<&ExtractOptions::rule_cache_bytes>("rule_cache_bytes"),
    option<&ExtractOptions::matching, matching_of>("matching"),
};

constexpr Option<IndexOptions> index_table[] = {option<&IndexOptions::sample_seed>("sample_seed")};

ExtractOptions extract_options(const nb::dict& values) {
  const auto options = read_options(values, extract_table, "rule extraction");
  validate(options);
  return options;
}

// The next grammar of a pool.
nb::bytes take(GrammarPool& pool, Monitor& monitor) {
  std::vector<std::string> pieces;
  {
    nb::gil_scoped_release release;
    pieces = pool.take(monitor);
  }
  size_t bytes = 0;
  for (const std::string& piece : pieces) bytes += piece.size();
  PyObject* grammar = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(bytes));
  if (!grammar) nb::raise_python_error();
  char* to = PyBytes_AsString(grammar);
  for (std::string& piece : pieces) {
    to = std::copy(piece.begin(), piece.end(), to);
    std::string().swap(piece);
  }
  return nb::steal<nb::bytes>(grammar);
}

nb::dict rule_counts_of(std::shared_ptr<Workspace> workspace, const nb::bytes& text, const nb::dict& values,
                        nb::object progress) {
  const ExtractOptions options = extract_options(values);
  RuleCounts counts;
  {
    Monitor monitor = make_monitor(std::move(progress));
    const auto bytes = view(text);
    nb::gil_scoped_release release;
    const auto lines = split_lines(bytes);
    counts = count_rules(workspace, options, lines, monitor);
  }
  nb::dict result;
  result["sentences"] = counts.sentences;
  result["patterns"] = counts.patterns;
  result["matches"] = counts.matches;
  result["rules"] = counts.rules;
  result["gapped_patterns"] = counts.gapped_patterns;
  result["comparisons"] = counts.comparisons;
  return result;
}

void register_mapped_index(nb::module_& module) {
  nb::class_<Index>(module, "Index", "A mapped index; immutable, shared by threads.")
      .def_static(
          "open",
          [](const std::string& directory, bool trust) {
            nb::gil_scoped_release release;
            return std::const_pointer_cast<Index>(Index::open(directory, trust_of(trust)));
          },
          nb::arg("directory"), nb::arg("trust") = false)
      .def_prop_ro("sentences", [](const Index& index) { return index.bitext.sentences(); })
      .def_prop_ro("source_tokens", [](const Index& index) { return index.bitext.source_tokens(); })
      .def_prop_ro("target_tokens", [](const Index& index) { return index.bitext.target_tokens(); });
}

// An index with all matches of its frequent patterns.
struct ListedIndex {
  std::shared_ptr<const Index> index;
  std::shared_ptr<const FrequentLists> lists;

  std::shared_ptr<Workspace> workspace() const {
    return std::make_shared<Workspace>(std::make_shared<const Snapshot>(index), lists);
  }
};

void register_listed_index(nb::module_& module) {
  nb::class_<ListedIndex>(
      module, "ListedIndex",
      "An index with all matches of gapped patterns of its most frequent phrases, which `extend` and "
      "`merge` ask.")
      .def(
          "__init__",
          [](ListedIndex* listed, std::shared_ptr<Index> index, size_t phrases, size_t triple_phrases,
             const nb::dict& values) {
            const ExtractOptions options = extract_options(values);
            nb::gil_scoped_release release;
            auto lists = std::make_shared<const FrequentLists>(index->bitext, phrases, triple_phrases, options);
            new (listed) ListedIndex{std::move(index), std::move(lists)};
          },
          nb::arg("index"), nb::arg("phrases"), nb::arg("triple_phrases"), nb::arg("options"))
      .def_prop_ro("patterns", [](const ListedIndex& listed) { return listed.lists->patterns(); })
      .def_prop_ro("bytes", [](const ListedIndex& listed) { return listed.lists->bytes(); });
}

void register_grammar_pool(nb::module_& module) {
  nb::class_<GrammarPool>(module, "GrammarPool", "Grammars of sentences in the order in which they were added.")
      .def(
          "__init__",
          [](GrammarPool* pool, std::shared_ptr<Index> index, const nb::dict& options, size_t threads) {
            new (pool)
                GrammarPool(std::make_shared<const Snapshot>(std::move(index)), extract_options(options), threads);
          },
          nb::arg("index"), nb::arg("options"), nb::arg("threads") = 1)
      .def(
          "__init__",
          [](GrammarPool* pool, const LiveIndex& index, const nb::dict& options, size_t threads) {
            new (pool) GrammarPool(index.snapshot(), extract_options(options), threads);
          },
          nb::arg("index"), nb::arg("options"), nb::arg("threads") = 1)
      .def(
          "__init__",
          [](GrammarPool* pool, const ListedIndex& index, const nb::dict& options, size_t threads) {
            new (pool) GrammarPool(index.workspace(), extract_options(options), threads);
          },
          nb::arg("index"), nb::arg("options"), nb::arg("threads") = 1)
      .def("__len__", &GrammarPool::size, "Sentences that were added and whose grammars were not taken.")
      .def_prop_ro("full", &GrammarPool::full, "Whether one should be taken before the next is added.")
      .def(
          "add",
          [](GrammarPool& pool, const nb::bytes& line, std::optional<uint64_t> leave_out) {
            pool.add(std::string(view(line)), leave_out);
          },
          nb::arg("line"), nb::arg("leave_out") = nb::none())
      .def("take", [](GrammarPool& pool) {
        if (pool.size() == 0) throw ConfigError("line", "must be added before its grammar is taken");
        Monitor monitor = make_monitor(nb::none());
        return take(pool, monitor);
      });
}

void register_extraction(nb::module_& module) {
  module.def(
      "count_rules",
      [](std::shared_ptr<Index> index, const nb::bytes& text, const nb::dict& options, nb::object progress) {
        return rule_counts_of(std::make_shared<Workspace>(std::move(index)), text, options, std::move(progress));
      },
      nb::arg("index"), nb::arg("text"), nb::arg("options"), nb::arg("progress") = nb::none(),
      "Counts of what extraction for these lines finds and compares.");
  module.def(
      "count_rules",
      [](const LiveIndex& index, const nb::bytes& text, const nb::dict& options, nb::object progress) {
        return rule_counts_of(std::make_shared<Workspace>(index.snapshot()), text, options, std::move(progress));
      },
      nb::arg("index"), nb::arg("text"), nb::arg("options"), nb::arg("progress") = nb::none());
  module.def(
      "count_rules",
      [](const ListedIndex& index, const nb::bytes& text, const nb::dict& options, nb::object progress) {
        return rule_counts_of(index.workspace(), text, options, std::move(progress));
      },
      nb::arg("index"), nb::arg("text"), nb::arg("options"), nb::arg("progress") = nb::none());
  module.def(
      "phrase_table",
      [](std::shared_ptr<Index> index, uint32_t max_phrase_length, const nb::object& write, nb::object progress,
         uint32_t least_count, uint32_t most_targets) {
        Monitor monitor = make_monitor(std::move(progress));
        nb::gil_scoped_release release;
        return write_phrase_table(*index, {max_phrase_length, least_count, most_targets}, sending_to(write), monitor);
      },
      nb::arg("index"), nb::arg("max_phrase_length"), nb::arg("write"), nb::arg("progress") = nb::none(),
      nb::arg("least_count") = 1, nb::arg("most_targets") = 0,
      "Sends a phrase table in Moses' format to write(bytes), piece by piece; returns the number of phrase pairs.");
}

}  // namespace

void register_index(nb::module_& module) {
  module.def(
      "build_index",
      [](const std::string& directory, const nb::object& source, const nb::object& target, const nb::object& links,
         const nb::dict& values, nb::object progress, std::optional<std::vector<uint64_t>> chosen,
         std::shared_ptr<ScratchSpace> scratch) {
        const auto options = read_options(values, index_table, "an index");
        Monitor monitor = make_monitor(std::move(progress));
        const IdText source_text = text_argument(source), target_text = text_argument(target);
        const StoredLinks stored = links_argument(links, source_text, target_text);
        IndexCounts counts;
        {
          nb::gil_scoped_release release;
          counts = build_index(directory, {source_text, target_text, stored, std::move(chosen)}, options, monitor,
                               array_memory(scratch.get()));
        }
        return counts_dict(counts);
      },
      nb::arg("directory"), nb::arg("source"), nb::arg("target"), nb::arg("links"), nb::arg("options"),
      nb::arg("progress") = nb::none(), nb::arg("chosen") = nb::none(), nb::arg("scratch") = nb::none(),
      "Writes the index of a word-aligned bitext, or of the chosen pairs of it, into an existing directory.");
  module.def(
      "select_pairs",
      [](const nb::object& source, const nb::object& target, const nb::object& links, const nb::object& wanted,
         double max_bytes, double source_word_bytes, double target_word_bytes, double pair_bytes, nb::object progress) {
        Monitor monitor = make_monitor(std::move(progress));
        const IdText source_text = text_argument(source), target_text = text_argument(target);
        const IdText wanted_text = text_argument(wanted);
        const StoredLinks stored = links_argument(links, source_text, target_text);
        nb::gil_scoped_release release;
        return select_pairs(source_text, target_text, stored, wanted_text,
                            {max_bytes, source_word_bytes, target_word_bytes, pair_bytes}, monitor);
      },
      nb::arg("source"), nb::arg("target"), nb::arg("links"), nb::arg("wanted"), nb::arg("max_bytes"),
      nb::arg("source_word_bytes"), nb::arg("target_word_bytes"), nb::arg("pair_bytes"),
      nb::arg("progress") = nb::none(), "Numbers of the pairs that teach most for their bytes, best first.");
  register_mapped_index(module);
  register_listed_index(module);
  register_grammar_pool(module);
  register_extraction(module);
}

}  // namespace dragoman::bind

// An index that learns: the log of its changes, and applying them. Logs cross as bytes, many records at a time.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "base/choices.h"
#include "base/hash.h"
#include "bind/bind.h"
#include "bind/results.h"
#include "bind/sending.h"
#include "index/compaction.h"
#include "index/live_index.h"
#include "index/near_pairs.h"
#include "index/overlay_log.h"

namespace dragoman::bind {
namespace {

constexpr Choice<LogRecord::Kind> kind_choices[] = {{"addition", LogRecord::Kind::addition},
                                                    {"removal", LogRecord::Kind::removal},
                                                    {"unnaming", LogRecord::Kind::unnaming}};

std::string text_of(const nb::dict& values, const char* key) {
  return values.contains(key) ? nb::cast<std::string>(values[key]) : std::string();
}

nb::bytes encode_records(const nb::list& records, uint32_t version) {
  std::string log;
  size_t left = records.size();
  for (nb::handle fields : records) {
    const auto values = nb::cast<nb::dict>(fields);
    LogRecord record{choose(kind_choices, "kind", text_of(values, "kind")),
                     nb::cast<uint64_t>(values["stable_id"]),
                     text_of(values, "id"),
                     text_of(values, "source_text"),
                     text_of(values, "target_text"),
                     text_of(values, "source"),
                     text_of(values, "target"),
                     text_of(values, "written"),
                     text_of(values, "links"),
                     text_of(values, "origin")};
    // What cannot be indexed must not get into a log.
    if (record.kind == LogRecord::Kind::addition)
      LiveIndex::addition(record.stable_id, record.source, record.target, record.written, record.links);
    append_record(log, record, version, --left == 0);
  }
  return bytes_of(log);
}

// The same for two pairs that were given alike, to one memory.
uint64_t text_hash(const LogRecord& record) {
  if (record.kind != LogRecord::Kind::addition) return 0;
  std::string both(memory_of_name(record.id));
  if (!both.empty()) both += '\x1f';
  both += record.source_text;
  both += '\0';
  both += record.target_text;
  return hash_bytes(both);
}

nb::dict record_dict(const LogRecord& record) {
  nb::dict fields;
  fields["kind"] = chosen_name(kind_choices, record.kind);
  fields["stable_id"] = record.stable_id;
  fields["id"] = record.id;
  if (record.kind != LogRecord::Kind::addition) return fields;
  fields["source_text"] = record.source_text;
  fields["target_text"] = record.target_text;
  fields["source"] = record.source;
  fields["target"] = record.target;
  fields["written"] = record.written;
  fields["links"] = record.links;
  fields["origin"] = record.origin;
  return fields;
}

nb::object indexed_pair(const LiveIndex& index, uint64_t stable_id) {
  const auto snapshot = index.snapshot();
  const auto place = snapshot->find(stable_id);
  if (!place) return nb::none();
  const IndexedPair pair = read_pair(snapshot->bitext_of(*place), Snapshot::number_of(*place));
  std::vector<std::string> source, target;
  for (WordId word : pair.source) source.emplace_back(snapshot->source_words().word(word));
  for (WordId word : pair.target) target.emplace_back(snapshot->target_words().word(word));
  return nb::make_tuple(source, target, pair.links, snapshot->weight_of(*place));
}

nb::tuple nearest_to_words(const LiveIndex& index, const std::vector<std::string>& words, uint32_t most,
                           uint32_t at_least, uint64_t work) {
  const auto snapshot = index.snapshot();
  std::vector<WordId> ids;
  for (const std::string& word : words) ids.push_back(snapshot->source_words().find(word));
  NearPairs nearest;
  {
    nb::gil_scoped_release release;
    nearest = nearest_pairs(*snapshot, ids, {most, at_least, work});
  }
  return near_tuple(nearest);
}

nb::tuple compact(const LiveIndex& index, const std::string& old_directory, const std::string& directory,
                  nb::object progress) {
  Monitor monitor = make_monitor(std::move(progress));
  Compacted compacted;
  {
    nb::gil_scoped_release release;
    const Container vocabulary =
        Container::open(old_directory + "/vocab.bin", Index::vocabulary_kind, Trust::skip_hashes);
    compacted = compact_index(*index.snapshot(), vocabulary, directory, monitor);
  }
  nb::dict counts = counts_dict(compacted.counts);
  counts["corrections"] = compacted.corrections;
  return nb::make_tuple(counts, compacted.gone_source, compacted.gone_target);
}

void write_side(const LiveIndex& index, bool target, const nb::object& write) {
  nb::gil_scoped_release release;
  const auto snapshot = index.snapshot();
  LineSender sender(write);
  for (uint32_t segment = 0; segment < snapshot->segments(); ++segment) {
    const IndexedBitext& bitext = snapshot->bitext(segment);
    for (uint64_t number = 0; number < bitext.sentences(); ++number) {
      if (snapshot->part(segment).removed(number)) continue;
      const TextSpan range = target ? bitext.target_range(number) : bitext.source_range(number);
      for (uint64_t at = range.begin; at < range.end; ++at) {
        if (at > range.begin) sender.line() += ' ';
        sender.line() += target ? snapshot->target_words().word(bitext.target(at))
                                : snapshot->source_words().word(bitext.source(at));
      }
      sender.end_line();
    }
  }
  sender.finish();
}

void register_log(nb::module_& module) {
  module.attr("LOG_HEADER_BYTES") = LogHeader::size;
  module.attr("LOG_VERSION") = log_version;
  module.def(
      "log_header", [](uint64_t index, uint32_t version) { return bytes_of(encode_header({index, version})); },
      nb::arg("index"), nb::arg("version") = log_version,
      "The first bytes of a log for the index whose bitext.bin has this payload hash.");
  module.def(
      "read_log_header",
      [](const nb::bytes& log, const std::string& name) {
        const LogHeader header = read_header(view(log), name);
        return nb::make_tuple(header.index, header.version);
      },
      nb::arg("log"), nb::arg("name"), "The index that a log is about, and the version of its records.");
  module.def("encode_log_records", &encode_records, nb::arg("records"), nb::arg("version") = log_version);
  module.def(
      "scan_log",
      [](const nb::bytes& log, uint64_t offset, uint32_t version) {
        LogReading reading;
        {
          const std::string_view bytes = view(log);
          nb::gil_scoped_release release;
          reading = read_records(bytes, offset, version);
        }
        std::vector<std::tuple<std::string, uint64_t, std::string, uint64_t, uint64_t>> entries;
        entries.reserve(reading.entries.size());
        for (LogEntry& entry : reading.entries) {
          const uint64_t text = text_hash(entry.record);
          entries.emplace_back(chosen_name(kind_choices, entry.record.kind), entry.record.stable_id,
                               std::move(entry.record.id), text, entry.offset);
        }
        return nb::make_tuple(entries, reading.end, reading.damaged, reading.refused);
      },
      nb::arg("log"), nb::arg("offset"), nb::arg("version") = log_version,
      "Kind, stable id, id, hash of the texts and offset of each record; where records that count end; bytes before"
      " that which are none; records that say nothing that can be done.");
  module.def(
      "read_log_record",
      [](const nb::bytes& log, uint64_t offset, uint32_t version) -> nb::object {
        const auto record = read_record(view(log), offset, version);
        if (!record) return nb::none();
        return record_dict(*record);
      },
      nb::arg("log"), nb::arg("offset") = 0, nb::arg("version") = log_version);
}

void register_live_index(nb::module_& module) {
  nb::class_<LiveIndex>(module, "LiveIndex", "An index that pairs are added to and removed from while it is in use.")
      .def_static(
          "open",
          [](const std::string& directory, uint32_t correction_weight, uint32_t newest_pairs, bool background,
             bool trust) {
            nb::gil_scoped_release release;
            return std::make_shared<LiveIndex>(Index::open(directory, trust_of(trust)),
                                               LiveOptions{correction_weight, newest_pairs, background});
          },
          nb::arg("directory"), nb::arg("correction_weight") = 1, nb::arg("newest_pairs") = 128,
          nb::arg("background") = true, nb::arg("trust") = false)
      .def(
          "apply_log",
          [](LiveIndex& self, const nb::bytes& log, uint64_t offset, uint32_t version) {
            const std::string_view bytes = view(log);
            nb::gil_scoped_release release;
            return self.apply(changes_of(read_records(bytes, offset, version)));
          },
          nb::arg("log"), nb::arg("offset") = 0, nb::arg("version") = log_version,
          "Makes the changes of a piece of a log, all at once; returns how many pairs they removed or replaced.")
      .def(
          "has", [](const LiveIndex& self, uint64_t stable_id) { return self.snapshot()->find(stable_id).has_value(); },
          nb::arg("stable_id"))
      .def("pair", &indexed_pair, nb::arg("stable_id"), "Words of both sides, links and weight of a pair, or None.")
      .def("nearest", &nearest_to_words, nb::arg("words"), nb::arg("most"), nb::arg("at_least"), nb::arg("work"),
           "The pairs whose source words are nearest to these, and whether nothing nearer can be there.")
      .def(
          "settle",
          [](LiveIndex& self) {
            nb::gil_scoped_release release;
            self.settle();
          },
          "Waits until segments have been merged.")
      .def_prop_ro("pairs", [](const LiveIndex& self) { return self.snapshot()->pairs(); })
      .def_prop_ro("corrections", [](const LiveIndex& self) { return self.snapshot()->corrections(); })
      .def_prop_ro("removed", [](const LiveIndex& self) { return self.snapshot()->removed(); })
      .def_prop_ro(
          "memories",
          [](const LiveIndex& self) {
            const auto snapshot = self.snapshot();
            std::vector<std::pair<std::string, uint64_t>> memories;
            for (const Memory& memory : snapshot->memories()) memories.emplace_back(memory.name, memory.lessons);
            return memories;
          },
          "Names of memories, and how many lessons each has now; the first has no name.")
      .def_prop_ro("bytes", [](const LiveIndex& self) { return self.snapshot()->bytes(); })
      .def_prop_ro("segments", [](const LiveIndex& self) { return self.snapshot()->segments(); })
      .def_prop_ro("correction_weight", [](const LiveIndex& self) { return self.snapshot()->weight(); })
      .def("compact", &compact, nb::arg("old_directory"), nb::arg("directory"), nb::arg("progress") = nb::none(),
           "Writes the index of what there is now; returns counts, and the words of either side that are gone.")
      .def("write_side", &write_side, nb::arg("target"), nb::arg("write"),
           "Sends the sentences of one side, in tokens, to write(bytes).");
}

}  // namespace

void register_live(nb::module_& module) {
  register_log(module);
  register_live_index(module);
}

}  // namespace dragoman::bind

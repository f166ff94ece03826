// Where the pairs of an index came from. Strings are bytes here: names of files may be no UTF-8.
#include <optional>

#include "base/errors.h"
#include "bind/bind.h"
#include "index/sources.h"
#include "index/sources_builder.h"

namespace dragoman::bind {
namespace {

std::string string_of(nb::handle value) { return std::string(view(nb::cast<nb::bytes>(value))); }
// (stable id, id, source, target, file, line, unit, [(key, value), ...])
SourceRecord record_of(const nb::tuple& given) {
  SourceRecord record;
  record.stable_id = nb::cast<uint64_t>(given[0]);
  record.id = string_of(given[1]);
  record.source = string_of(given[2]);
  record.target = string_of(given[3]);
  record.file = string_of(given[4]);
  record.line = nb::cast<uint64_t>(given[5]);
  record.unit = string_of(given[6]);
  for (nb::handle attribute : given[7]) {
    const auto pair = nb::cast<nb::tuple>(attribute);
    record.attributes.emplace_back(string_of(pair[0]), string_of(pair[1]));
  }
  return record;
}

nb::tuple tuple_of(const SourceRecord& record) {
  nb::list attributes;
  for (const auto& [key, value] : record.attributes) attributes.append(nb::make_tuple(bytes_of(key), bytes_of(value)));
  return nb::make_tuple(record.stable_id, bytes_of(record.id), bytes_of(record.source), bytes_of(record.target),
                        bytes_of(record.file), record.line, bytes_of(record.unit), attributes);
}

}  // namespace

void register_sources(nb::module_& module) {
  nb::class_<Sources>(module, "Sources", "Where each pair of an index came from; mapped, shared by threads.")
      .def_static(
          "open",
          [](const std::string& path, bool trust) {
            nb::gil_scoped_release release;
            return new Sources(Container::open(path, Sources::kind, trust_of(trust)));
          },
          nb::arg("path"), nb::arg("trust") = false)
      .def_prop_ro("pairs", &Sources::pairs)
      .def_prop_ro("blocks", &Sources::blocks)
      .def(
          "get",
          [](const Sources& self, uint64_t stable_id) -> nb::object {
            std::optional<SourceRecord> record;
            {
              nb::gil_scoped_release release;
              record = self.get(stable_id);
            }
            if (!record) return nb::none();
            return tuple_of(*record);
          },
          nb::arg("stable_id"))
      .def(
          "find", [](const Sources& self, const nb::bytes& id) { return self.find(view(id)); }, nb::arg("id"))
      .def(
          "read_block",
          [](const Sources& self, uint64_t block) {
            nb::list records;
            for (const SourceRecord& record : self.read_block(block)) records.append(tuple_of(record));
            return records;
          },
          nb::arg("block"));

  nb::class_<SourcesBuilder>(module, "SourcesBuilder", "Writes sources.bin.")
      .def(
          "__init__",
          [](SourcesBuilder* self, nb::object compress) {
            new (self)
                SourcesBuilder([compress = std::move(compress)](std::string_view plain, std::string_view dictionary) {
                  return std::string(view(nb::cast<nb::bytes>(compress(bytes_of(plain), bytes_of(dictionary)))));
                });
          },
          nb::arg("compress"))
      .def_prop_ro("pairs", &SourcesBuilder::pairs)
      .def(
          "add",
          [](SourcesBuilder& self, const nb::list& records) {
            for (nb::handle record : records) self.add(record_of(nb::cast<nb::tuple>(record)));
          },
          nb::arg("records"))
      .def("write", &SourcesBuilder::write, nb::arg("path"));
}

}  // namespace dragoman::bind

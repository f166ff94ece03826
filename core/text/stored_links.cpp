#include "text/stored_links.h"

#include <algorithm>

#include "base/errors.h"
#include "text/id_text.h"
#include "text/lines.h"
#include "text/pharaoh.h"

namespace dragoman::text {
namespace {

struct LinksMeta {
  uint64_t pairs;
  uint64_t links;
};

constexpr uint64_t most_pairs = UINT32_MAX - 1;

}  // namespace

StoredLinks::StoredLinks(LinkTable table, std::shared_ptr<ScratchSpace> scratch) {
  auto owned = std::make_shared<Owned>(Owned{std::move(scratch), std::move(table), PackedWriter(0, 1)});
  const size_t pairs = owned->table.size();
  // The codes lie one after the other.
  if (pairs > 0) {
    const auto first = owned->table.code(0), last = owned->table.code(pairs - 1);
    code_ = {first.data(), static_cast<size_t>(last.data() + last.size() - first.data())};
  }
  owned->starts = PackedWriter(pairs + 1, bits_for(code_.size()));
  uint64_t at = 0;
  for (size_t pair = 0; pair < pairs; ++pair) {
    owned->starts.set(pair, at);
    const auto code = owned->table.code(pair);
    decode_links(code, UINT32_MAX, UINT32_MAX, [&](uint32_t, uint32_t) { ++links_; });
    at += code.size();
  }
  owned->starts.set(pairs, at);
  starts_ = owned->starts.view();
  owned_ = std::move(owned);
}

StoredLinks StoredLinks::parse(std::string_view lines, const IdText& source, const IdText& target) {
  const auto all = split_lines(lines);
  require_equal_lines(source.sentences(), target.sentences(), all.size());
  LinkTable table;
  Links links;
  for (uint64_t pair = 0; pair < all.size(); ++pair) {
    parse_pharaoh(all[pair], pair + 1, links, source.length(pair), target.length(pair));
    table.add(links);
  }
  return StoredLinks(std::move(table));
}

StoredLinks StoredLinks::open(const Container& container) {
  StoredLinks links;
  const auto meta = container.record<LinksMeta>("meta");
  if (meta.pairs > most_pairs) container.fail("meta", "counts more pairs than a text can have");
  links.buffer_ = container.buffer();
  links.code_ = container.array<uint8_t>("code");
  links.starts_ = PackedArray(container, "starts", meta.pairs + 1, bits_for(links.code_.size()));
  for (uint64_t i = 0, last = 0; i <= meta.pairs; last = links.starts_[i++])
    if (links.starts_[i] < last) container.fail("starts", "is not in order");
  if (links.starts_[meta.pairs] != links.code_.size()) container.fail("starts", "does not end where the links do");
  links.links_ = meta.links;
  return links;
}

void StoredLinks::add_to(ContainerWriter& writer) const {
  writer.add_record("meta", LinksMeta{pairs(), links_});
  writer.add("code", std::as_bytes(code_));
  writer.add("starts", starts_.bytes());
}

void StoredLinks::write(const std::string& path) const {
  ContainerWriter writer(kind);
  add_to(writer);
  writer.write(path);
}

void StoredLinks::read(uint64_t pair, uint64_t source_length, uint64_t target_length, Links& links) const {
  links.clear();
  const auto most = [](uint64_t length) { return static_cast<uint32_t>(std::min<uint64_t>(length, UINT32_MAX)); };
  if (!decode_links(code(pair), most(source_length), most(target_length),
                    [&](uint32_t source, uint32_t target) { links.push_back({source, target}); }))
    throw InputError(pair + 1, "the links are not those of this text; align it again");
}

void StoredLinks::append_pharaoh(std::string& line, uint64_t pair) const {
  Links links;
  read(pair, UINT32_MAX, UINT32_MAX, links);
  text::append_pharaoh(line, links);
}

}  // namespace dragoman::text

// The container itself, with hashes as they come.
#include "tests/fuzz/target.h"

namespace dragoman::fuzz {
namespace {

std::vector<Bytes> seeds() {
  ContainerWriter some("some"), none("none");
  const std::vector<uint32_t> numbers = {1, 2, 3, 4, 5};
  some.add("numbers", numbers);
  some.add("empty", std::span<const std::byte>());
  some.add_record("record", uint64_t{7});
  return {some.bytes(), none.bytes()};
}

void use(Bytes file) {
  const Container container = Container::parse(Buffer::own(std::move(file), "file"), "some");
  container.array<uint64_t>("record", 1);
  for (const Section& section : container.sections()) container.array<uint32_t>(section.name);
}

}  // namespace

const Target container_target{"container", seeds, use, false};

}  // namespace dragoman::fuzz

// Numbers as languages write them, and what only looks like one.
#include "text/number_format.h"

#include <string>
#include <string_view>

#include "tests/check.h"

namespace dragoman::text {
namespace {

std::string written_in(std::string_view target, std::string_view source, std::string_view written) {
  return number_in(target, source, written).value_or(std::string(written));
}

TEST(numbers_are_written_as_in_the_target_language) {
  CHECK(written_in("en", "fr", "1 234,5") == "1,234.5");
  CHECK(written_in("en", "fr",
                   "12\xc2\xa0"
                   "345\xc2\xa0"
                   "678,25") == "12,345,678.25");
  CHECK(written_in("en", "fr",
                   "12\xe2\x80\xaf"
                   "345") == "12,345");
  CHECK(written_in("en", "de", "1.234,5") == "1,234.5");
  CHECK(written_in("en-GB", "de_AT", "12.345") == "12.345");  // Austria has spaces there, so it may be anything
  CHECK(written_in("fr", "en", "1,234.5") ==
        "1\xe2\x80\xaf"
        "234,5");
  CHECK(written_in("cs", "en", "1,234") ==
        "1\xc2\xa0"
        "234");
  CHECK(written_in("de", "en", "1,234,567.5km") == "1.234.567,5km");
  CHECK(written_in("de-CH", "en", "1,234.5") == "1’234.5");
  CHECK(written_in("en", "fr", "0,5") == "0.5" && written_in("en", "fr", "0,125") == "0.125");
  CHECK(written_in("en", "fr", "1 234,567") == "1,234.567");
  CHECK(written_in("en", "fr", "1234,5") == "1234.5");  // not grouped there, not grouped here
  CHECK(written_in("es-MX", "es", "1.234,5") == "1,234.5");
}

TEST(what_may_be_no_number_stays) {
  for (const std::string_view text : {"1995",
                                      "15h30",
                                      "15:30",
                                      "12.3.2014",
                                      "3.11.2",
                                      "192.168.100.200",
                                      "01 23 45 67 89",
                                      "603 123 456",
                                      "2008 300",
                                      "12 34",
                                      "1 2345",
                                      "01 234",
                                      "1 234\xc2\xa0"
                                      "567",
                                      "1,2,3",
                                      "1er",
                                      "1.234",
                                      "10-12",
                                      "",
                                      "٣٫٥",
                                      "1,",
                                      "3,5b2",
                                      "10,000",
                                      "007,5"})
    for (const std::string_view language : {"fr", "cs"}) {
      CHECK(written_in("en", language, text) == text);
    }
  for (const std::string_view text : {"192.168.100.200", "12.3.2014", "3.11.2", "15.30"})
    CHECK(written_in("en", "de", text) == text);
  for (const std::string_view text : {"1,2", "12,34,567", "1234,567", "3.11.2", "192.168.1.1"})
    CHECK(written_in("fr", "en", text) == text);
  // Nobody knows what these languages write.
  CHECK(written_in("en", "xx", "1 234,5") == "1 234,5");
  CHECK(written_in("xx", "fr", "1 234,5") == "1 234,5");
  CHECK(written_in("fr", "fr", "1 234,5") ==
        "1\xe2\x80\xaf"
        "234,5");
  CHECK(written_in("en", "fr", std::string(100, '1') + ",5").back() == '5');
  CHECK(may_be_version("3.11") && !may_be_version("3,11") && !may_be_version("3.1.1"));
}

TEST(any_number_comes_back) {
  // There and back again, whatever the languages: the digits are the same, and so is the number.
  const std::string_view languages[] = {"en", "fr", "de", "cs", "de-CH", "pt-PT"};
  for (const std::string_view number : {"1,234.5", "12,345,678", "0.25", "999,999.999", "1.5"})
    for (const std::string_view language : languages) {
      const std::string there = written_in(language, "en", number);
      CHECK(written_in("en", language, there) == number);
    }
}

}  // namespace
}  // namespace dragoman::text

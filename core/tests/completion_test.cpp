#include <random>

#include "tests/check.h"
#include "tests/small_model.h"
#include "translate/complete.h"
#include "translate/translate.h"

namespace dragoman::translate {
namespace {

using namespace dragoman::tests;
using search::Algorithm;

// Whatever is typed, there is a way to go on, and the same one again.
TEST(typing_goes_on_whatever_it_is) {
  const Folder folder("completion");
  write_small_model(folder);
  const OpenModel model = open_model(files_in(folder.path.string()), small_model_parts());
  std::mt19937_64 random(9);
  for (int round = 0; round < 150; ++round) {
    TranslateRequest request;
    request.decode.algorithm = round % 2 ? Algorithm::phrase_based : Algorithm::hierarchical;
    request.decode.kbest = 1 + static_cast<uint32_t>(random() % 3);
    request.decode.options.distortion_limit = static_cast<uint32_t>(random() % 4);
    const std::string source = random_line(random, 'a', 7);
    std::string prefix = random_line(random, 'l', 9);
    prefix.resize(random() % (prefix.size() + 1));
    const Glossary none;
    const auto completions = complete(*model.translator, source, prefix, request, none);
    CHECK(!completions.empty() && completions.size() <= request.decode.kbest);
    CHECK(completions == complete(*model.translator, source, prefix, request, none));
    const std::string own = translate::translate(*model.translator, source, 1, request, none).text;
    CHECK(complete(*model.translator, source, "", request, none)[0] == own);
    CHECK(complete(*model.translator, source, own.substr(0, own.size() / 2), request, none)[0] ==
          own.substr(own.size() / 2));
  }
}

}  // namespace
}  // namespace dragoman::translate

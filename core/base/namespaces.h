// Each folder has a namespace of its own inside dragoman, which is base's. What a folder may include it may name as
// it is; language models are named with their folder (lm::, nlm::), because both have the same nouns.
#pragma once

namespace dragoman::text {}
namespace dragoman::align {}
namespace dragoman::index {}
namespace dragoman::rules {}
namespace dragoman::lm {}
namespace dragoman::nlm {}
namespace dragoman::judge {}
namespace dragoman::search {}
namespace dragoman::translate {}
namespace dragoman::evaluate {}
namespace dragoman::tune {}
namespace dragoman::align {
using namespace text;
}
namespace dragoman::index {
using namespace text;
}
namespace dragoman::rules {
using namespace text;
using namespace index;
}  // namespace dragoman::rules
namespace dragoman::lm {
using namespace text;
}
namespace dragoman::nlm {
using namespace text;
}
namespace dragoman::search {
using namespace text;
using namespace index;
using namespace rules;
}  // namespace dragoman::search
namespace dragoman::translate {
using namespace text;
using namespace index;
using namespace rules;
using namespace search;
}  // namespace dragoman::translate
namespace dragoman::evaluate {
using namespace text;
}
namespace dragoman::tune {
using namespace evaluate;
}
namespace dragoman::bind {
using namespace text;
using namespace index;
using namespace rules;
}  // namespace dragoman::bind

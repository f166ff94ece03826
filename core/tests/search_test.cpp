// Language models behind the decoders' interface: fragments of the n-gram adapter against words scored one by one, and
// the general word-by-word session, as an expensive model that reads the source, against the adapter.
#include <cmath>
#include <cstring>
#include <random>
#include <thread>

#include "lm/compact.h"
#include "lm/estimate.h"
#include "search/coverage.h"
#include "search/decoder.h"
#include "search/future_cost.h"
#include "search/grammar_file.h"
#include "search/ngram_adapter.h"
#include "search/rule_pricer.h"
#include "tests/check.h"
#include "tests/wordwise_session.h"
#include "translate/markup.h"

namespace dragoman::search {
namespace {

std::shared_ptr<const lm::LanguageModel> small_model(uint32_t order) {
  lm::TextEncoder text;
  text.add("u v w\nu v u x\nw w v\nx u v w x\nv v\nu\nw x u v u\nu v w x\n");
  lm::EstimateOptions options;
  options.order = order;
  Monitor monitor;
  auto bytes = lm::make_compact(lm::estimate(text.finish(), options, monitor).trie, {0, 0}, monitor);
  const Container container = Container::parse(Buffer::own(std::move(bytes)), "lm");
  return std::make_shared<const lm::LanguageModel>(lm::LanguageModel::parse(container));
}

// The same model word by word; with `positions`, a word's score also depends on its source position.
class Wordwise : public LanguageModel {
 public:
  Wordwise(std::shared_ptr<const lm::LanguageModel> model, bool is_expensive, bool positions)
      : model_(std::move(model)), expensive_(is_expensive), positions_(positions) {}

  class Session : public WordwiseSession {
   public:
    Session(const lm::LanguageModel& model, bool positions)
        : WordwiseSession(model.order(), sizeof(lm::State)), model_(model), positions_(positions) {}
    void begin_context(std::byte* state) override { std::memcpy(state, &model_.begin_state(), sizeof(lm::State)); }
    void empty_context(std::byte* state) override {
      const lm::State nothing = model_.null_state();
      std::memcpy(state, &nothing, sizeof nothing);
    }
    double score_word(const std::byte* state, LmItem word, std::byte* next) override {
      lm::State now, then;
      std::memcpy(&now, state, sizeof now);
      const double score = double{model_.score(now, static_cast<WordId>(word.word), then).log10_prob};
      std::memcpy(next, &then, sizeof then);
      return score + (positions_ ? 0.01 * word.source : 0);
    }

   private:
    const lm::LanguageModel& model_;
    bool positions_;
  };

  uint32_t find(std::string_view word) const override { return model_->find(word); }
  uint32_t unknown() const override { return lm::unknown_word; }
  uint32_t sentence_end() const override { return lm::sentence_end; }
  size_t context_bytes() const override { return sizeof(lm::State); }
  size_t fragment_bytes() const override { return WordwiseSession::fragment_bytes(model_->order(), sizeof(lm::State)); }
  bool reads_source() const override { return positions_; }
  bool expensive() const override { return expensive_; }
  std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view>) const override {
    return std::make_unique<Session>(*model_, positions_);
  }

 private:
  std::shared_ptr<const lm::LanguageModel> model_;
  bool expensive_, positions_;
};

constexpr std::string_view grammar = R"(
[X] ||| a ||| u ||| P=1 ||| 0-0
[X] ||| a ||| v w ||| P=2 ||| 0-0
[X] ||| b ||| x ||| P=1 ||| 0-0
[X] ||| b ||| u v ||| P=1 ||| 0-1
[X] ||| c ||| w ||| P=3 ||| 0-0
[X] ||| a [X,1] ||| [X,1] u ||| P=1 ||| 0-1
[X] ||| [X,1] b [X,2] ||| [X,2] x v [X,1] ||| P=1 ||| 1-1
[X] ||| a b ||| oov ||| P=1 ||| 0-0 1-0
)";

SourceSentence sentence_of(std::initializer_list<const char*> words) {
  SourceSentence sentence;
  for (const char* word : words) sentence.tokens.push_back({word});
  return sentence;
}

TEST(fragments_do_not_depend_on_how_words_are_bracketed) {
  for (uint32_t order : {1u, 2u, 3u, 5u}) {
    const auto model = small_model(order);
    NgramModel adapter(model);
    const auto session = adapter.begin({});
    std::mt19937 random(order);
    for (int round = 0; round < 300; ++round) {
      const size_t length = random() % 8;
      std::vector<LmItem> words;
      for (size_t i = 0; i < length; ++i) words.push_back({static_cast<int32_t>(1 + random() % 7), 0});
      std::vector<std::byte> begin(adapter.context_bytes()), end(adapter.context_bytes());
      session->begin_context(begin.data());
      std::vector<LmItem> whole = words;
      whole.push_back({lm::sentence_end, 0});
      const double expected = session->score_words(begin.data(), whole, end.data());
      // [0, cut) and [cut, length) as fragments, then begin, both, end.
      const size_t cut = length ? random() % (length + 1) : 0;
      std::vector<std::byte> left(adapter.fragment_bytes()), right(adapter.fragment_bytes()),
          both(adapter.fragment_bytes()), all(adapter.fragment_bytes());
      double total = session->score_fragment(std::span(words).first(cut), nullptr, false, left.data());
      total += session->score_fragment(std::span(words).subspan(cut), nullptr, false, right.data());
      const std::byte* children[] = {left.data(), right.data()};
      const LmItem pair[] = {{-1, 0}, {-2, 0}};
      total += session->score_fragment(pair, children, false, both.data());
      const std::byte* one[] = {both.data()};
      const LmItem ended[] = {{-1, 0}, {lm::sentence_end, 0}};
      total += session->score_fragment(ended, one, true, all.data());
      CHECK(std::abs(total - expected) < 1e-4);
      // Written in the model's own way, the same fragment: both parts with words before, between and after.
      std::vector<LmItem> mixed(words);
      mixed.insert(mixed.begin() + static_cast<ptrdiff_t>(cut), LmItem{-1, 0});
      mixed.insert(mixed.end(), {{-2, 0}, {lm::sentence_end, 0}});
      const double plain = session->score_fragment(mixed, children, round % 2 == 0, both.data());
      mixed.resize(session->prepare(mixed));
      CHECK(std::abs(session->score_fragment(mixed, children, round % 2 == 0, all.data()) - plain) < 1e-4);
      CHECK(all == both);
    }
  }
}

TEST(arenas_hand_out_each_byte_once) {
  Arena arena(1 << 10);
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<std::byte*, size_t>> pieces;
    for (int i = 0; i < 50; ++i) {
      const size_t size = 1 + random() % (i % 10 == 0 ? 3000 : 200);
      pieces.emplace_back(arena.bytes(size, 1 << random() % 5), size);
      std::memset(pieces.back().first, i, size);
    }
    for (int i = 0; i < 50; ++i)
      for (size_t at = 0; at < pieces[i].second; ++at) CHECK(pieces[i].first[at] == static_cast<std::byte>(i));
    arena.clear(round % 3 * 2048);
    CHECK(arena.used() == 0);
  }
}

TEST(any_model_gives_the_same_search) {
  const auto rules = std::make_shared<GrammarFile>(grammar);
  const auto model = small_model(3);
  const std::vector<std::pair<std::string, double>> weights = {
      {"P", -0.5}, {"LanguageModel", 1}, {"LanguageModel_OOV", -1}, {"Glue", 0.1}, {"Distortion", -0.2}};
  const Decoder plain(rules, {{"LanguageModel", std::make_shared<NgramModel>(model)}}, weights);
  const Decoder cheap(rules, {{"LanguageModel", std::make_shared<Wordwise>(model, false, false)}}, weights);
  const Decoder expensive(rules, {{"LanguageModel", std::make_shared<Wordwise>(model, true, false)}}, weights);
  for (Algorithm algorithm : {Algorithm::hierarchical, Algorithm::phrase_based}) {
    DecodeRequest request;
    request.algorithm = algorithm;
    request.kbest = 50;
    request.options.pop_limit = request.options.stack_size = 100000;
    for (const SourceSentence& sentence :
         {sentence_of({"a", "b", "c"}), sentence_of({"a", "unseen", "b", "a"}), sentence_of({"c"})}) {
      const auto expected = plain.decode(sentence, request).candidates;
      for (const Decoder* other : {&cheap, &expensive}) {
        const auto candidates = other->decode(sentence, request).candidates;
        CHECK(candidates.size() == expected.size());
        for (size_t i = 0; i < std::min(candidates.size(), expected.size()); ++i)
          CHECK(std::abs(candidates[i].score - expected[i].score) < 1e-4);
      }
    }
  }
}

TEST(a_search_can_be_interrupted_anywhere) {
  const auto rules = std::make_shared<GrammarFile>(grammar);
  const std::vector<std::pair<std::string, double>> weights = {{"P", -0.5}, {"LanguageModel", 1}};
  const Decoder decoder(rules, {{"LanguageModel", std::make_shared<NgramModel>(small_model(3))}}, weights);
  SourceSentence sentence;
  for (size_t i = 0; i < 30; ++i) sentence.tokens.push_back({std::string(1, static_cast<char>('a' + i % 3))});
  for (Algorithm algorithm : {Algorithm::hierarchical, Algorithm::phrase_based}) {
    DecodeRequest request;
    request.algorithm = algorithm;
    const auto expected = decoder.decode(sentence, request).candidates;
    size_t stops = 0;
    for (bool stopped = true; stopped; stops += 7) {
      size_t polls = 0;
      Monitor monitor([&](uint64_t, uint64_t) { return polls++ < stops; });
      Interrupt interrupt(monitor, Interrupt::Clock::duration(0));
      request.interrupt = &interrupt;
      stopped = false;
      try {
        const auto candidates = decoder.decode(sentence, request).candidates;
        CHECK(candidates[0].words == expected[0].words);
      } catch (const Cancelled&) {
        stopped = true;
      }
    }
    CHECK(stops > sentence.tokens.size());
  }
}

TEST(a_worker_stops_when_the_call_was_cancelled) {
  Monitor monitor;
  Interrupt interrupt(monitor);
  bool stopped = false;
  monitor.cancel();
  std::jthread([&] {
    try {
      interrupt.check();
    } catch (const Cancelled&) {
      stopped = true;
    }
  }).join();
  CHECK(stopped);
}

TEST(source_positions_reach_the_models) {
  const auto rules = std::make_shared<GrammarFile>(grammar);
  const auto model = small_model(3);
  const std::vector<std::pair<std::string, double>> weights = {{"P", -0.5}, {"SourceNeuralLM", 1}};
  const Decoder decoder(rules, {{"SourceNeuralLM", std::make_shared<Wordwise>(model, true, true)}}, weights);
  for (Algorithm algorithm : {Algorithm::hierarchical, Algorithm::phrase_based}) {
    DecodeRequest request;
    request.algorithm = algorithm;
    request.kbest = 100;
    request.options.pop_limit = request.options.stack_size = 100000;
    // The features are worked out from the finished sentence, the search's score on the way.
    for (const DecodedCandidate& candidate : decoder.decode(sentence_of({"a", "b", "c", "a"}), request).candidates)
      CHECK(std::abs(candidate.score - candidate.search_score) < 1e-4);
  }
}

TEST(source_sides_are_found_where_they_first_occur) {
  const std::vector<WordId> sentence{5, 6, 7, 5, 8, 7};
  using Positions = std::vector<uint32_t>;
  auto positions = [&](std::vector<Symbol> source) { return first_positions(source, sentence); };
  CHECK(positions({5}) == Positions{0});
  CHECK((positions({5, 8}) == Positions{3, 4}));
  CHECK((positions({7, -1, 7}) == Positions{2, 3, 5}));
  CHECK((positions({-1, 5, -2}) == Positions{0, 3, 4}));
  CHECK((positions({-1, 8, -2, 7}) == Positions{0, 4, 5, 6}));  // no room for the second gap: just behind it
  CHECK((first_positions(std::vector<Symbol>{5, 6}, {}) == Positions{0, 1}));
}

// Says the same of every word, whatever it is asked.
class Constant : public LanguageModel {
 public:
  explicit Constant(double said) : said_(said) {}
  class Session : public WordwiseSession {
   public:
    explicit Session(double said) : WordwiseSession(2, 4), said_(said) {}
    void begin_context(std::byte* state) override { std::memset(state, 0, 4); }
    void empty_context(std::byte* state) override { std::memset(state, 0, 4); }
    double score_word(const std::byte*, LmItem, std::byte* next) override {
      std::memset(next, 0, 4);
      return said_;
    }

   private:
    double said_;
  };
  uint32_t find(std::string_view) const override { return 5; }
  uint32_t unknown() const override { return 1; }
  uint32_t sentence_end() const override { return 3; }
  size_t context_bytes() const override { return 4; }
  size_t fragment_bytes() const override { return WordwiseSession::fragment_bytes(2, 4); }
  std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view>) const override {
    return std::make_unique<Session>(said_);
  }

 private:
  double said_;
};

TEST(no_score_is_so_bad_that_there_is_no_translation) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto rules = std::make_shared<GrammarFile>(
      "[X] ||| a ||| x ||| F=-3e38 ||| 0-0\n[X] ||| a b ||| y ||| F=3e38 ||| 0-0\n"
      "[X] ||| b [X,1] ||| [X,1] z ||| F=1e-38 ||| 0-1\n");
  for (double said : {0.0, -1e29, -1e30, -1e300, 1e300, infinity, -infinity, std::nan("")})
    for (double weight : {0.0, 1.0, -most_extreme_weight, most_extreme_weight})
      for (Algorithm algorithm : {Algorithm::hierarchical, Algorithm::phrase_based}) {
        const std::vector<std::pair<std::string, double>> weights{
            {"F", weight}, {"LM", weight}, {"PassThrough", -weight}, {"Glue", weight}, {"LM_OOV", weight}};
        const Decoder decoder(rules, {{"LM", std::make_shared<Constant>(said)}}, weights);
        DecodeRequest request;
        request.algorithm = algorithm;
        request.kbest = 5;
        const DecodedSentence decoded = decoder.decode({{{"b", {}}, {"a", {}}, {"c", {}}, {"b", {}}}, {}}, request);
        CHECK(!decoded.candidates.empty());
        for (const DecodedCandidate& candidate : decoded.candidates) CHECK(std::isfinite(candidate.score));
        // What a given translation forbids is impossible all the same.
        const auto forced = decoder.force({{{"a", {}}, {"c", {}}}, {}}, {"x", "q"}, request);
        CHECK(forced.decoded.candidates.empty());
        CHECK(decoder.force({{{"a", {}}, {"c", {}}}, {}}, {"x", "c"}, request).decoded.candidates.size() == 1);
      }
  const Decoder decoder(rules, {}, {});
  for (double bad : {infinity, -infinity, std::nan(""), 1.01 * most_extreme_weight})
    CHECK_THROWS(decoder.with_weights(std::vector<std::pair<std::string, double>>{{"F", bad}}), ConfigError);
}

TEST(weights_are_read_or_refused) {
  const auto read = read_weights("# all\nF 1e6\n\nG -1.5 # half\r\nH +2");
  CHECK(read.size() == 3 && read[0].second == 1e6 && read[1].second == -1.5 && read[2].second == 2);
  for (const char* bad : {"F 1.1e6", "F -1e30", "F inf", "F nan", "F 1e999", "F 0x1", "F", "F 1 2", "F 1\nF 1",
                          "F 1\xff", "\xff 1", "F 1,5"})
    CHECK_THROWS(read_weights(bad), InputError);
}

TEST(coverage_moves_its_window) {
  Coverage coverage;
  coverage = coverage.with(2, 4);
  CHECK(coverage.first_gap == 0 && coverage.covers(2) && coverage.covers(3) && !coverage.covers(1));
  CHECK(!coverage.is_free(1, 3) && coverage.is_free(0, 2) && coverage.is_free(4, 9));
  coverage = coverage.with(0, 2);
  CHECK(coverage.first_gap == 4 && coverage.beyond == 0);
  coverage = coverage.with(4, 204).with(206, 207);
  CHECK(coverage.first_gap == 204 && coverage.covers(206) && !coverage.covers(205));
  Arena arena;
  FutureCost future(4, arena);
  for (uint32_t at = 0; at < 4; ++at) future.offer(at, at + 1, -1.0 - at);
  future.offer(0, 2, -0.5);
  future.combine();
  CHECK(future.of(0, 4) == -7.5);
  CHECK(future.of(Coverage{}.with(1, 2)) == -8.0);
}

// The definition: every span from every pair of parts.
std::vector<std::vector<double>> slow_future(uint32_t size, const std::vector<std::vector<double>>& offers) {
  auto best = offers;
  for (uint32_t length = 2; length <= size; ++length)
    for (uint32_t begin = 0; begin + length <= size; ++begin)
      for (uint32_t middle = begin + 1; middle < begin + length; ++middle)
        best[begin][begin + length] =
            std::max(best[begin][begin + length], best[begin][middle] + best[middle][begin + length]);
  return best;
}

TEST(future_costs_are_what_the_definition_says) {
  std::mt19937 random(11);
  for (uint32_t size : {1u, 2u, 7u, 30u, 64u, 100u, 128u, 129u, 200u, 260u}) {
    Arena arena;
    FutureCost future(size, arena);
    CHECK(arena.used() >= sizeof(double) * size);
    std::vector<std::vector<double>> offers(size + 1, std::vector<double>(size + 1, -1e300));
    for (uint32_t begin = 0; begin < size; ++begin) {
      offers[begin][begin] = 0;
      for (uint32_t end = begin + 1; end <= size; ++end) {
        // Every word has a phrase, and some are as long as whole sentences that were learned.
        if (end > begin + 1 && random() % (end - begin < 8 ? 2 : 400) != 0) continue;
        const double score = -(0.3 + random() % 1000 / 1000.0) * (end - begin);
        offers[begin][end] = score;
        future.offer(begin, end, score);
      }
    }
    future.combine();
    const auto expected = slow_future(size, offers);
    for (uint32_t begin = 0; begin < size; ++begin) {
      for (uint32_t end = begin + 1; end <= std::min(size, begin + FutureCost::max_width); ++end)
        CHECK(future.of(begin, end) == expected[begin][end]);
      if (size - begin <= FutureCost::max_width)
        CHECK(future.rest(begin) == expected[begin][size]);
      else
        CHECK(std::abs(future.rest(begin) - expected[begin][size]) < 1e-9);
    }
    const Coverage coverage = Coverage{}.with(1, 2).with(5, 7);
    if (size > 10) CHECK(future.of(coverage) == expected[0][1] + expected[2][5] + future.rest(7));
  }
  // Memory grows with the words of a sentence, not with their square.
  Arena arena;
  FutureCost long_sentence(20000, arena);
  CHECK(arena.used() < size_t{30} << 20);
}

TEST(markup_is_read_or_refused) {
  const translate::MarkedText marked =
      translate::read_markup("a <t to=\"x|y &amp; z\">b</t> <zone>c <keep>d</keep></zone><wall/> <b>e</b>", 1);
  CHECK(marked.text == "a b c d <b>e</b>");
  CHECK(marked.instructions.size() == 4);
  CHECK(marked.instructions[0].targets == (std::vector<std::string>{"x", "y & z"}));
  for (const char* bad : {"<keep>a", "a</keep>", "<keep><keep>a</keep></keep>", "<t to=\"\">a</t>", "<t to=\"a>b</t>",
                          "<zone>a</keep>", "<keep><wall/></keep>"})
    CHECK_THROWS(translate::read_markup(bad, 3), InputError);
}

}  // namespace
}  // namespace dragoman::search

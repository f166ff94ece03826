#include "search/decoder.h"

#include <algorithm>
#include <numbers>

#include "base/choices.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "judge/judging.h"
#include "search/chosen_rules.h"
#include "search/consistent_rules.h"
#include "search/hierarchical.h"
#include "search/kbest.h"
#include "search/learned_word.h"
#include "search/phrase_based.h"
#include "search/prefix_walk.h"
#include "search/reference_model.h"
#include "search/remembered_rules.h"
#include "search/rule_features.h"

namespace dragoman::search {
namespace {

FeatureSet features_of(const RuleSource& rules, bool judged) {
  FeatureSet features;
  rules.add_features(features);
  if (judged)
    for (const std::string_view name : {judge_probability, judge_pieces}) features.add(name);
  return features;
}

// Words nobody translates pass through; spans with given translations have those and no others.
void add_own_rules(const SourceSentence& sentence, const Sentence& ids, WordTable& target_words,
                   SentenceGrammar& grammar) {
  const Link one_to_one{0, 0};
  for (size_t i = 0; i < ids.size(); ++i) {
    const SourceToken& token = sentence.tokens[i];
    const Symbol source = word_symbol(ids.words[i]);
    if (!token.given()) {
      const uint32_t node = grammar.child(SentenceGrammar::root, source);
      if (node != SentenceGrammar::none && !grammar.rules(node).empty()) continue;
      const Symbol target = word_symbol(target_words.add(token.text));
      const Rule rule{{&source, 1}, {&target, 1}, {&one_to_one, 1}, {}, 0, RuleKind::pass_through, 0};
      grammar.take({&rule, 1});
      continue;
    }
    std::vector<std::vector<Symbol>> targets;
    std::vector<Links> links;
    for (const auto& words : token.translations) {
      targets.emplace_back();
      links.emplace_back();
      for (const std::string& word : words) {
        links.back().push_back({0, static_cast<uint32_t>(targets.back().size())});
        targets.back().push_back(word_symbol(target_words.add(word)));
      }
    }
    if (targets.empty()) {
      targets.push_back({word_symbol(target_words.add_unique(token.text))});
      links.push_back({one_to_one});
    }
    std::vector<Rule> rules;
    for (size_t t = 0; t < targets.size(); ++t)
      rules.push_back({{&source, 1}, targets[t], links[t], {}, t, RuleKind::constraint, 0});
    grammar.take(rules);
  }
}

std::string side_text(std::span<const Symbol> symbols, const WordTable& words) {
  std::string text;
  for (Symbol symbol : symbols) {
    if (!text.empty()) text += ' ';
    if (is_gap(symbol))
      text += "[X," + std::to_string(gap_of(symbol) + 1) + "]";
    else
      text += words.word(word_of(symbol));
  }
  return text;
}

RuleUse written_out(const Application& application, const WordTable& source_words, const WordTable& target_words,
                    CollectedRules* collected, const DecodeRequest& request) {
  RuleUse use{application.rule->kind,
              application.source,
              application.target,
              application.source_gaps,
              application.target_gaps,
              side_text(application.rule->source, source_words),
              side_text(application.rule->target, target_words),
              {},
              {},
              0};
  if (collected && request.count_origins && application.rule->kind == RuleKind::grammar)
    use.origins = collected->origins(application.rule->reference, request.origins, use.origin_count);
  for (const FeatureValue& value : application.rule->features)
    if (value.value != 0) use.features.emplace_back(value.id, value.value);
  for (const RuleFeature& own : rule_features()) {
    const double value = own.value(*application.rule);
    if (value != 0) use.features.emplace_back(own.id, value);
  }
  return use;
}

DecodedCandidate finish(Hypothesis&& hypothesis, const DecodeRequest& request, const WordTable& source_words,
                        const WordTable& target_words, CollectedRules* collected) {
  DecodedCandidate candidate;
  for (WordId word : hypothesis.words) candidate.words.emplace_back(target_words.word(word));
  candidate.kinds.assign(candidate.words.size(), RuleKind::grammar);
  for (const Application& application : hypothesis.applications) {
    for (uint32_t word : application.target_words) candidate.kinds[word] = application.rule->kind;
    if (application.rule->kind == RuleKind::constraint)
      candidate.given.push_back(
          {application.source.begin, static_cast<uint32_t>(application.rule->reference), application.target});
  }
  std::ranges::sort(candidate.given, {}, [](const GivenUse& use) { return use.target.begin; });
  candidate.score = hypothesis.score;
  candidate.search_score = hypothesis.search_score;
  candidate.affiliations = std::move(hypothesis.affiliations);
  candidate.links = std::move(hypothesis.links);
  candidate.features = std::move(hypothesis.features);
  if (request.explain)
    for (const Application& application : hypothesis.applications)
      if (application.rule->kind < RuleKind::glue_first) {
        check(request.interrupt);
        candidate.rules.push_back(written_out(application, source_words, target_words, collected, request));
      }
  return candidate;
}

const PrefixStart& start_of(const Derivation& derivation, std::span<const PrefixStart> starts) {
  const Derivation* first = &derivation;
  while (first->children[0]) first = first->children[0];
  return starts[first->edge->rule->reference];
}

// Puts what the search went on from before what it found.
void prepend(const PrefixStart& start, const WordTable& target_words, DecodedCandidate& candidate) {
  const auto size = static_cast<uint32_t>(start.words.size());
  std::vector<std::string> words;
  for (WordId word : start.words) words.emplace_back(target_words.word(word));
  candidate.words.insert(candidate.words.begin(), words.begin(), words.end());
  candidate.kinds.insert(candidate.kinds.begin(), size, RuleKind::grammar);
  candidate.affiliations.insert(candidate.affiliations.begin(), size, 0);
  for (GivenUse& use : candidate.given) use.target = use.target.shifted(size);
  std::vector<GivenUse> given;
  for (const PrefixStart::Use& use : start.uses) {
    std::fill(candidate.kinds.begin() + use.target.begin, candidate.kinds.begin() + use.target.end, use.rule->kind);
    std::fill(candidate.affiliations.begin() + use.target.begin, candidate.affiliations.begin() + use.target.end,
              use.source.begin);
    if (use.rule->kind == RuleKind::constraint)
      given.push_back({use.source.begin, static_cast<uint32_t>(use.rule->reference), use.target});
  }
  candidate.given.insert(candidate.given.begin(), given.begin(), given.end());
  for (Link& link : candidate.links) link.target += size;
  candidate.links.insert(candidate.links.end(), start.links.begin(), start.links.end());
  std::ranges::sort(candidate.links);
  candidate.typed = start.typed;
  candidate.typed_part = start.part;
  candidate.score = candidate.search_score;
}

bool weighs(const FeatureSet& features, std::string_view name) {
  const FeatureId feature = features.find(name);
  return feature != FeatureSet::none && features.weight(feature) != 0;
}

// Whether it is what somebody wrote for the very sentence, which goes before all that a judge thinks.
bool is_correction(const Hypothesis& hypothesis, const FeatureSet& features) {
  const FeatureId memory = features.find(sentence_memory);
  return std::ranges::any_of(hypothesis.features, [&](const auto& feature) { return feature.first == memory; });
}

}  // namespace

Algorithm algorithm_of(std::string_view name) {
  static constexpr Choice<Algorithm> algorithms[] = {{"hierarchical", Algorithm::hierarchical},
                                                     {"phrase-based", Algorithm::phrase_based}};
  return choose(algorithms, "decoder", name);
}

std::string_view rule_kind_name(RuleKind kind) {
  switch (kind) {
    case RuleKind::grammar:
      return "grammar";
    case RuleKind::pass_through:
      return "pass-through";
    case RuleKind::constraint:
      return "constraint";
    case RuleKind::glue_first:
    case RuleKind::glue:
      return "glue";
    default:
      return "goal";
  }
}

Decoder::Decoder(std::shared_ptr<const RuleSource> rules, std::vector<NamedModel> models,
                 std::span<const std::pair<std::string, double>> weights, std::shared_ptr<const judge::Judge> judge)
    : rules_(std::move(rules)),
      models_(std::move(models)),
      judge_(std::move(judge)),
      scorer_(features_of(*rules_, judge_ != nullptr), models_, rules_->target_words()) {
  scorer_.set_weights(weights);
}

std::shared_ptr<const RuleSource> Decoder::pin() const {
  auto pinned = rules_->pin();
  return pinned ? pinned : rules_;
}

std::shared_ptr<const RuleSource> Decoder::pin_recent() const { return recent_->of(pin()); }

void Decoder::know_learned_words(const Index& index) {
  for (size_t model = 0; model < models_.size(); ++model)
    scorer_.set_learned_bonus(model, learned_bonus(*models_[model].model, index));
}

std::shared_ptr<const Decoder> Decoder::with_weights(std::span<const std::pair<std::string, double>> weights) const {
  auto decoder = std::make_shared<Decoder>(*this);
  decoder->scorer_.set_weights(weights);
  return decoder;
}

std::shared_ptr<const Decoder> Decoder::with_memories(MemoryChoice choice) const {
  for (const MemoryWeight& memory : choice)
    if (memory.weight < 1 || memory.weight > max_memory_weight)
      throw ConfigError("memories", "weights are from 1 to " + std::to_string(max_memory_weight));
  auto decoder = std::make_shared<Decoder>(*this);
  decoder->rules_ = std::make_shared<ChosenRules>(rules_, std::move(choice));
  decoder->pin();
  return decoder;
}

std::shared_ptr<const Decoder> Decoder::pinned() const {
  auto decoder = std::make_shared<Decoder>(*this);
  decoder->rules_ = pin();
  return decoder;
}

std::shared_ptr<const Decoder> Decoder::remembering(size_t most_bytes) const {
  auto decoder = std::make_shared<Decoder>(*this);
  decoder->rules_ = std::make_shared<RememberedRules>(pin(), most_bytes);
  return decoder;
}

std::shared_ptr<const Decoder> Decoder::consistent_with(std::span<const TrainingPair> context) const {
  auto decoder = std::make_shared<Decoder>(*this);
  decoder->rules_ = std::make_shared<ConsistentRules>(pin(), context);
  return decoder;
}

DecodedSentence Decoder::decode(const SourceSentence& sentence, const DecodeRequest& request) const {
  DecodedSentence decoded = run(scorer_, sentence, request, nullptr);
  // Every word has a rule, and one after the other they are a translation, so this cannot be; but whoever asks for a
  // translation takes the first one without looking.
  if (decoded.candidates.empty())
    throw InputError(0, "no translation was found for a sentence, which is a fault of this program; please report it");
  return decoded;
}

Decoder::ForcedSearch Decoder::force(const SourceSentence& sentence, const std::vector<std::string>& translation,
                                     const DecodeRequest& request) const {
  ForcedSearch search;
  std::vector<NamedModel> models = models_;
  models.push_back({"Reference", std::make_shared<ReferenceModel>(translation, &search.reach)});
  Scorer scorer(features_of(*rules_, judge_ != nullptr), std::move(models), rules_->target_words());
  for (size_t model = 0; model < models_.size(); ++model)
    scorer.set_learned_bonus(model, scorer_.models()[model].learned_bonus);
  std::vector<std::pair<std::string, double>> weights;
  for (FeatureId id = 0; id < scorer_.features().size(); ++id)
    weights.emplace_back(scorer_.features().name(id), scorer_.features().weight(id));
  weights.emplace_back("Reference", 1);
  scorer.set_weights(weights);
  DecodeRequest forced = request;
  forced.options.rules_per_side = 0;
  search.decoded = run(scorer, sentence, forced, &search.reachable);
  return search;
}

DecodedSentence Decoder::complete(const SourceSentence& sentence, const TypedPrefix& prefix,
                                  const DecodeRequest& request) const {
  DecodeRequest phrases = request;
  phrases.algorithm = Algorithm::phrase_based;
  return run(scorer_, sentence, phrases, nullptr, &prefix);
}

void Decoder::judge(const Scorer& scorer, const SourceSentence& sentence, const WordTable& target_words,
                    Interrupt* interrupt, std::vector<Hypothesis>& hypotheses) const {
  std::vector<std::string_view> source, holes;
  for (const SourceToken& token : sentence.tokens) {
    source.push_back(token.text);
    if (token.hole) holes.push_back(token.text);
  }
  std::ranges::stable_sort(hypotheses, std::greater(), &Hypothesis::score);
  std::vector<std::vector<std::string_view>> texts;
  for (const Hypothesis& hypothesis : hypotheses) {
    texts.emplace_back();
    for (const WordId word : hypothesis.words) texts.back().push_back(target_words.word(word));
  }
  const auto judged = judge::score(*judge_, source, texts, holes, interrupt);
  const FeatureSet& features = scorer.features();
  const FeatureId probability = features.find(judge_probability), pieces = features.find(judge_pieces);
  for (size_t i = 0; i < judged.size(); ++i)
    for (const auto& [feature, value] : {std::pair(probability, bounded(judged[i].log_prob / std::numbers::ln10)),
                                         std::pair(pieces, double(judged[i].pieces))}) {
      hypotheses[i].features.emplace_back(feature, value);
      hypotheses[i].score += features.weight(feature) * value;
    }
  std::ranges::stable_sort(hypotheses, std::greater(), &Hypothesis::score);
}

DecodedSentence Decoder::run(const Scorer& model, const SourceSentence& sentence, const DecodeRequest& request,
                             std::set<std::string>* reachable, const TypedPrefix* prefix) const {
  validate(request.options);
  DecodedSentence result;
  if (sentence.tokens.empty()) {
    result.candidates.emplace_back();
    return result;
  }
  const std::shared_ptr<const RuleSource> rules = request.rules ? request.rules : pin();
  WordTable source_words(rules->source_words()), target_words(rules->target_words());
  Sentence ids;
  std::vector<std::string_view> texts;
  for (const SourceToken& token : sentence.tokens) {
    ids.words.push_back(token.given() ? source_words.add_unique(token.text) : source_words.add(token.text));
    texts.push_back(token.hole ? std::string_view() : token.text);
  }
  const ArenaPool::Lent lent = arenas_->take();
  Arena& arena = *lent;
  const bool phrase_based = request.algorithm == Algorithm::phrase_based;
  // Contexts are whole in the phrase-based decoder, and few hypotheses are scored that are not taken: two stages would
  // save little and lose much.
  ModelSessions models(model, *rules, target_words, texts, !phrase_based);
  RulePricer pricer(models, ids.words);
  HypothesisScorer scorer(models);
  std::optional<RuleFilter::Bound> filter;
  if (sentence.filter)
    filter.emplace(*sentence.filter, source_words, target_words, model.features(), ids.words, sentence.single_quotes);
  SentenceGrammar grammar(arena, pricer, request.options.rules_per_side, request.interrupt,
                          filter ? &*filter : nullptr);
  const uint32_t size = static_cast<uint32_t>(ids.size());
  const uint32_t max_span = request.options.max_span ? request.options.max_span : size;
  const auto collected = rules->collect(ids, max_span, !phrase_based, grammar);
  add_own_rules(sentence, ids, target_words, grammar);

  if (reachable)
    for (uint32_t node = 0; node < grammar.size(); ++node)
      for (const ScoredRule* rule : grammar.rules(node))
        for (Symbol symbol : rule->target)
          if (!is_gap(symbol)) reachable->emplace(target_words.word(word_of(symbol)));

  auto search = phrase_based ? search_phrase_based : search_hierarchical;
  std::optional<PrefixWalk> walk;
  if (prefix) walk.emplace(*prefix, ids, source_words, target_words, *rules);
  SearchTask task{grammar, ids, sentence.constraints, request.options, pricer, scorer, arena, request.interrupt};
  task.prefix = walk ? &*walk : nullptr;
  SearchResult forest = search(task);
  if (!forest.goal && !reachable) {
    // Constraints can lead every hypothesis of a narrow search astray; in the source's order there is always a way. Who
    // types keeps to neither.
    DecodeOptions other = request.options;
    other.distortion_limit = prefix ? Coverage::max_distortion : 0;
    const Constraints none;
    forest = search({grammar, ids, prefix ? none : sentence.constraints, other, pricer, scorer, arena,
                     request.interrupt, task.prefix});
  }
  result.narrowed = forest.narrowed;
  result.pops = forest.pops;
  result.scored = forest.scored;
  result.rules = grammar.rule_total();
  KBest kbest(forest.goal, request.distinct);
  const uint32_t wanted = std::max(1u, request.kbest);
  // Who types waits for the next word, and a translation that was given is what it is.
  const bool heard = weighs(model.features(), judge_probability) || weighs(model.features(), judge_pieces);
  const bool judged = judge_ && heard && request.options.judged > 0 && !prefix && !reachable;
  std::vector<Hypothesis> hypotheses;
  std::vector<const PrefixStart*> starts;
  for (uint32_t i = 0; i < (judged ? std::max(wanted, request.options.judged) : wanted); ++i) {
    check(request.interrupt);
    const Derivation* derivation = kbest.next();
    if (!derivation) break;
    hypotheses.push_back(write_out(*derivation, phrase_based, size, models));
    if (prefix) starts.push_back(&start_of(*derivation, forest.starts));
  }
  if (judged && hypotheses.size() > 1 && !is_correction(hypotheses.front(), model.features()))
    judge(model, sentence, target_words, request.interrupt, hypotheses);
  if (hypotheses.size() > wanted) hypotheses.resize(wanted);
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    result.candidates.push_back(finish(std::move(hypotheses[i]), request, source_words, target_words, collected.get()));
    if (prefix) prepend(*starts[i], target_words, result.candidates.back());
  }
  // The search adds up in another order than features do; let the list be in order of what it says.
  std::ranges::stable_sort(result.candidates, std::greater(), &DecodedCandidate::score);
  result.scratch_bytes = arena.used() + models.bytes();
  result.neural = models.queries();
  return result;
}

std::vector<DecodedSentence> Decoder::decode_all(std::span<const SourceSentence> sentences,
                                                 const DecodeRequest& request, size_t threads, Monitor& monitor) const {
  std::vector<DecodedSentence> results(sentences.size());
  DecodeRequest pinned = request;
  if (!pinned.rules) pinned.rules = pin();
  Interrupt interrupt(monitor);
  pinned.interrupt = &interrupt;
  monitor.start(sentences.size());
  for_each_shard(sentences.size(), threads ? threads : default_threads(), monitor, [&](size_t shard) {
    results[shard] = decode(sentences[shard], pinned);
    monitor.add(1);
  });
  return results;
}

}  // namespace dragoman::search

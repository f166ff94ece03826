/* The phrases of a translation: the training sentences behind one, and all of them as the tree they were put together. */
import { $, dim, make, slicer } from "./dom.js";
import { sentenceAt, stepAt, stepsOf, text } from "./answers.js";
import { nameOf } from "./languages.js";
import { lightPhrase, markChosen, nodeName, phraseOf, placeOf, unlight } from "./words.js";

const MOST_TREES = 40;

/* A text that runs as its letters do, whatever stands around it. */
const isolated = (tag, properties, ...children) => make(tag, { dir: "auto", ...properties }, ...children);

/* A rule's side as the model writes it: words, and gaps as numbered boxes. */
function side(written) {
  return written.split(/(\[X,\d+\])/).map((part) => {
    const gap = /^\[X,(\d+)\]$/.exec(part);
    return gap ? make("span", { className: "gap" }, gap[1]) : part;
  });
}
const arrow = () => make("span", { className: "arrow" }, "→");

/* ---- where a phrase comes from ---- */

function marked(written, spans) {
  const cut = slicer(written), nodes = [];
  let at = 0;
  for (const [begin, end] of spans) {
    nodes.push(cut(at, begin), make("mark", {}, cut(begin, end)));
    at = end;
  }
  nodes.push(cut(at, undefined));
  return nodes;
}

function example(origin, sources) {
  const pair = sources[origin.pair];
  if (!pair) return null;
  const taught = pair.name?.startsWith("taught-");
  const attributes = Object.entries(pair.attributes || {}).filter(([name]) => !["taught", "added", "import"].includes(name));
  const where = [
    pair.file && pair.file + (pair.line ? ":" + pair.line : ""),
    !pair.file && !taught && (pair.name || "pair " + origin.pair),
    ...attributes.map(([name, value]) => `${name} ${value}`),
  ].filter(Boolean).join(" · ");
  const badge = taught ? [make("span", { className: "taught-badge" }, "taught here"), where && " · "] : [];
  return make("li", {}, isolated("p", {}, ...marked(pair.source, origin.source)),
    isolated("p", { className: "other" }, ...marked(pair.target, origin.target)),
    make("p", { className: "place" }, ...badge, where));
}

/* Which of several models a step is. */
const named = (step) => step.text === undefined ? []
  : [make("p", { className: "step" }, `${nameOf(step.source)} to ${nameOf(step.target)}`)];

/* What is known of the places a phrase was seen in. */
function seen(phrase, sources) {
  if (!phrase.seen) return [dim(phrase.kind === "pass-through"
    ? "No training sentence has this word; it was kept as it is."
    : "Given: a number, a tag, a placeholder or a term of the glossary.")];
  if (!phrase.origins) return [dim(`Seen in ${phrase.seen} places of the training text, which this server does not show.`)];
  const shown = phrase.origins.map((origin) => example(origin, sources)).filter(Boolean);
  const some = shown.length < phrase.seen ? `; ${shown.length} of them:` : ":";
  return [dim(phrase.seen === 1 ? "Seen in one sentence." : `Seen in ${phrase.seen} places${some}`),
    make("ul", { className: "examples" }, ...shown)];
}

/* Where sources lie over the page, as on a phone: the translation, or what of it was chosen, stays to be seen. */
function keepInSight() {
  const sources = $("phrase"), translation = $("target");
  if (getComputedStyle(sources).position !== "fixed") return;
  const room = innerHeight - sources.offsetHeight;
  const whole = translation.offsetHeight < room ? translation : translation.querySelector(".chosen");
  (whole ?? translation).scrollIntoView({ block: "nearest" });
}

export function choose(place, number) {
  const phrase = place && sentenceAt(place)?.derivation[number];
  markChosen(place, phrase);
  $("phrase").classList.toggle("open", Boolean(place));
  document.documentElement.classList.toggle("with-sources", Boolean(place));
  $("phrase-close").hidden = !place;
  if (!phrase) {
    $("phrase-body").replaceChildren(dim(place ? "No training sentence stands behind this word: it was kept as it is."
      : "Choose a word of the translation to see the training sentences behind it."));
    if (place) keepInSight();
    return;
  }
  const body = [
    make("p", { className: "phrase-pair" }, isolated("b", {}, ...side(phrase.source)), arrow(), isolated("b", {}, ...side(phrase.target))),
    ...named(stepAt(place)),
    ...seen(phrase, stepAt(place).sources),
  ];
  const rows = Object.entries(phrase.features).map(([name, value]) =>
    make("tr", {}, make("td", {}, name), make("td", {}, String(value))));
  if (rows.length) body.push(make("details", {}, make("summary", {}, "Scores"), make("table", { className: "numbers" }, ...rows)));
  $("phrase-body").replaceChildren(...body);
  keepInSight();
}

export function chooseWord(node) {
  const place = placeOf(node), sentence = place && sentenceAt(place);
  if (sentence) choose(place, phraseOf(sentence, place.token));
}

/* ---- the tree ---- */

/* Only what was learned on held-out text; a model that was not taught it says nothing. */
const confidence = (sentence) => sentence.confidence === null || sentence.confidence === undefined ? ""
  : make("span", {}, ` · confidence ${Math.round(100 * sentence.confidence)} %`);

function treeNode(place, sentence, number) {
  const rule = sentence.derivation[number];
  const lit = () => { unlight(); lightPhrase(place, number); };
  const count = rule.seen ? `seen ${rule.seen}×` : rule.kind === "pass-through" ? "unknown" : "given";
  const button = make("button", {
    type: "button", data: { node: nodeName(place, number) },
    onclick: () => choose(place, number), onmouseenter: lit, onfocus: lit, onmouseleave: unlight, onblur: unlight,
  }, isolated("span", {}, ...side(rule.source)), arrow(), isolated("span", {}, ...side(rule.target)),
  make("span", { className: rule.seen ? "seen" : "seen unknown" }, count));
  const children = rule.children.map((child) => treeNode(place, sentence, child));
  return make("li", {}, button, ...(children.length ? [make("ul", {}, ...children)] : []));
}

function tree(line, place, sentence) {
  const inner = new Set(sentence.derivation.flatMap((step) => step.children));
  const roots = sentence.derivation.map((_, number) => number).filter((number) => !inner.has(number))
    .sort((a, b) => sentence.derivation[a].targetSpan[0] - sentence.derivation[b].targetSpan[0]);
  return make("li", {}, make("h3", {}, isolated("bdi", {}, slicer(line)(...sentence.source)), confidence(sentence)),
    make("ul", {}, ...roots.map((number) => treeNode(place, sentence, number))));
}

export function showTree() {
  const trees = text.lines.flatMap((line, number) => stepsOf(line).flatMap((step, at, steps) => [
    ...named(step).map((name) => () => make("li", {}, name)),
    ...step.sentences.map((sentence, which) => () =>
      tree(at ? steps[at - 1].text : line, { line: number, step: at, sentence: which }, sentence)),
  ]));
  $("tree").replaceChildren(trees.length
    ? make("ul", { className: "tree" }, ...trees.slice(0, MOST_TREES).map((draw) => draw()))
    : dim("The phrases of the translation appear here, one inside the other."));
}

/* What a translation through another language was there. */
export function showThrough() {
  const through = text.lines.flatMap((line) => stepsOf(line).slice(0, -1));
  $("through").hidden = !through.length;
  if (through.length)
    $("through").replaceChildren(`Through ${nameOf(through[0].target)}: `,
      isolated("bdi", {}, through.map((step) => step.text).join(" ")));
}

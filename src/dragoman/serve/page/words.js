/* Both texts as words that light up: the copy under the field that is typed in, and the translation. */
import { $, make, slicer } from "./dom.js";
import { answerOf, sentenceAt, stepNumber, stepsOf, text } from "./answers.js";

const NEW_MS = 4000, UNSURE = 0.35;
/* Placeholders, tags, addresses, paths, options, numbers below zero: letters or digits with what no language writes
   between them, or before them. */
const CODE = /^(?=.*[\p{L}\p{N}])(?=.*[%{}<>[\]$@#=_|~^\\/:&]|[-−]+[!-~]*$).{2,}$/u;

/* One line as text and words; word(sentence, number, text) makes the node of a word. */
function drawLine(line, sentences, side, word) {
  if (!sentences) return [line];
  const cut = slicer(line), nodes = [];
  let at = 0;
  sentences.forEach((sentence, number) => {
    sentence[side + "Tokens"].forEach(([begin, end], token) => {
      if (begin < at || begin === end) return;
      nodes.push(cut(at, begin), word(number, token, cut(begin, end)));
      at = end;
    });
  });
  nodes.push(cut(at, undefined));
  return nodes;
}

/* A word of the translation: unknown, unsure, or new since the last lesson. */
function targetWord(place, written, sentence, token, oldWords) {
  const node = make("span", { className: "w", tabIndex: -1, data: { place }, role: "button" }, written);
  if (CODE.test(written)) node.classList.add("code");
  if (sentence.unknown.includes(token)) {
    node.classList.add("unknown");
    node.title = "No training sentence has this word";
  }
  const sure = sentence.wordConfidence?.[token];
  if (sure !== undefined && sure !== null && sure < UNSURE) {
    node.classList.add("unsure");
    node.title = `The model is not sure of this word (${Math.round(100 * sure)} %)`;
  }
  if (oldWords && !oldWords.has(written) && /[\p{L}\p{N}]/u.test(written)) node.classList.add("changed");
  return node;
}

export function showWords() {
  const mirror = [], target = [];
  text.lines.forEach((line, number) => {
    const answer = answerOf(line), steps = stepsOf(line), sentences = steps.at(-1)?.sentences;
    const last = number === text.lines.length - 1;
    mirror.push(...drawLine(line, steps[0]?.sentences, "source", (sentence, token, written) =>
      make("span", { data: { place: `${number} ${sentence} s${token}` } }, written)), last ? " " : "\n");
    const fresh = answer?.old !== undefined && answer.old !== answer.text && performance.now() - answer.at < NEW_MS;
    const oldWords = fresh && new Set(answer.old.split(/[\s.,;:!?]+/));
    target.push(...drawLine(answer?.text ?? "", sentences, "target", (sentence, token, written) =>
      targetWord(`${number} ${sentence} t${token}`, written, sentences[sentence], token, oldWords)), last ? "" : "\n");
  });
  $("mirror").replaceChildren(...mirror);
  $("target").replaceChildren(...target);
  $("target").querySelector(".w")?.setAttribute("tabindex", "0");
}

/* ---- where a word is, and what it belongs to ---- */

const nodeAt = (line, sentence, side, token) =>
  document.querySelector(`${side === "s" ? "#mirror" : "#target"} [data-place="${line} ${sentence} ${side}${token}"]`);

export function placeOf(node) {
  const [line, sentence, word] = (node?.dataset?.place || "").split(" ");
  if (!word) return null;
  return { line: Number(line), sentence: Number(sentence), side: word[0], token: Number(word.slice(1)) };
}

/* The word of the copy that lies under the textarea at this point. */
export const wordUnder = (event) =>
  document.elementsFromPoint(event.clientX, event.clientY).find((node) => node.dataset?.place);

/* Words of a span that lie in none of its gaps. */
function tokensOf([begin, end], gaps) {
  const tokens = [];
  for (let token = begin; token < end; token++)
    if (!gaps.some(([b, e]) => b <= token && token < e)) tokens.push(token);
  return tokens;
}

export const phraseOf = (sentence, token) =>
  sentence.derivation.findIndex((step) => tokensOf(step.targetSpan, step.targetGaps).includes(token));

/* ---- light ---- */

export function unlight() {
  for (const node of document.querySelectorAll(".in-phrase, .linked")) node.classList.remove("in-phrase", "linked");
}

/* Whether a side of a phrase stands on the page: the text between two models does not. */
const isShown = (place, side) => stepNumber(place) === stepNumber({ line: place.line, side });
export const nodeName = (place, number) => `${place.line} ${stepNumber(place)} ${place.sentence} ${number}`;

export function lightPhrase(place, number) {
  const phrase = sentenceAt(place)?.derivation[number];
  if (!phrase) return;
  const sides = [["s", phrase.sourceSpan, phrase.sourceGaps], ["t", phrase.targetSpan, phrase.targetGaps]];
  for (const [side, span, gaps] of sides)
    for (const token of isShown(place, side) ? tokensOf(span, gaps) : [])
      nodeAt(place.line, place.sentence, side, token)?.classList.add("in-phrase");
  document.querySelector(`#tree [data-node="${nodeName(place, number)}"]`)?.classList.add("in-phrase");
}

export function markChosen(place, phrase) {
  for (const node of document.querySelectorAll(".chosen")) node.classList.remove("chosen");
  if (phrase && isShown(place, "t"))
    for (const token of tokensOf(phrase.targetSpan, phrase.targetGaps))
      nodeAt(place.line, place.sentence, "t", token)?.classList.add("chosen");
}

/* Lights up the phrase a word belongs to, and strongly the words it is linked to. */
export function light(place) {
  unlight();
  const sentence = place && sentenceAt(place);
  if (!sentence) return;
  const linked = sentence.links.filter(([s, t]) => (place.side === "s" ? s : t) === place.token);
  const targets = place.side === "t" ? [place.token] : linked.map(([, t]) => t);
  const other = place.side === "s" ? "t" : "s";
  for (const token of targets) lightPhrase(place, phraseOf(sentence, token));
  nodeAt(place.line, place.sentence, place.side, place.token)?.classList.add("linked");
  if (!isShown(place, other)) return;
  for (const [s, t] of linked)
    nodeAt(place.line, place.sentence, other, place.side === "s" ? t : s)?.classList.add("linked");
}

/* Arrow keys go from word to word. */
export function walk(event) {
  const words = [...document.querySelectorAll("#target .w")];
  const at = words.indexOf(document.activeElement);
  const right = $("target").dir === "rtl" ? -1 : 1;
  const step = { ArrowRight: right, ArrowLeft: -right, Home: -at, End: words.length - 1 - at }[event.key];
  if (at < 0 || step === undefined) return;
  event.preventDefault();
  const next = words[Math.min(words.length - 1, Math.max(0, at + step))];
  words[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/* What stands on the left, line by line, and what the server said of each line. An answer is kept until the pair or the
   glossary changes or the memories that apply, or the model has learned: the server names the state of the model that each answer comes from, so
   that lessons of other windows and programs are noticed too. */
import { $ } from "./dom.js";
import { terms } from "./glossary.js";
import { chosenMemories } from "./memories.js";
import { call, notice, refused, server } from "./server.js";

const WAIT_MS = 220, LINES_AT_ONCE = 12, KEPT_LINES = 2000, NEWS_MS = 5000;

export const text = {
  lines: [],
  changed: () => {},    // called when there is something new to show
  forgotten: () => {},  // called when answers are thrown away
  taught: () => {},     // called when the model has learned or forgotten something
};
const kept = new Map(); // line -> {text, explanation, alternatives, source, pair, looksLike}; no model, no explanation
let before = new Map(); // line -> its translation before the last lesson, to show what changed
let request = null, timer = 0;

export const answerOf = (line) => kept.get(line);
/* Each model's part: two where the text went through another language. */
export function stepsOf(line) {
  const explanation = kept.get(line)?.explanation;
  return explanation ? explanation.steps || [explanation] : [];
}
/* Words on the left are those of the first step, words of the translation those of the last. */
export function stepNumber(place) {
  return place.step ?? (place.side === "s" ? 0 : stepsOf(text.lines[place.line]).length - 1);
}
export const stepAt = (place) => stepsOf(text.lines[place.line])[stepNumber(place)];
export const sentenceAt = (place) => stepAt(place)?.sentences[place.sentence];
export const sentences = () => text.lines.flatMap(stepsOf).flatMap((step) => step.sentences);
export const translation = () => text.lines.map((line) => kept.get(line)?.text ?? "").join("\n");
export const isComplete = () => text.lines.every((line) => !line.trim() || kept.has(line));
export const hasText = () => text.lines.some((line) => line.trim());

export function readLines() {
  text.lines = $("source").value.split("\n");
}

export function forgetAnswers() {
  kept.clear();
  text.forgotten();
}

export function translateSoon(wait = WAIT_MS) {
  clearTimeout(timer);
  timer = setTimeout(translate, wait);
}

function keep(lines, answer) {
  const from = $("from").value, to = $("to").value;
  lines.forEach((line, number) => {
    const source = answer.detectedLanguage?.[number]?.language ?? from;
    kept.set(line, {
      text: answer.translatedText[number], explanation: answer.explanation[number],
      looksLike: answer.looksLike?.[number], alternatives: answer.alternatives?.[number] || [], source, pair: `${source}-${to}`,
      old: before.get(line), at: performance.now(),
    });
  });
  while (kept.size > KEPT_LINES) kept.delete(kept.keys().next().value);
}

async function translate() {
  request?.abort();
  const own = request = new AbortController();
  readLines();
  const missing = [...new Set(text.lines)].filter((line) => line.trim() && !kept.has(line));
  if (missing.length) $("target").classList.add("stale");
  const begun = performance.now();
  try {
    for (let at = 0; at < missing.length; at += LINES_AT_ONCE) {
      const lines = missing.slice(at, at + LINES_AT_ONCE);
      const answer = await call("translate", {
        q: lines, source: $("from").value, target: $("to").value, explain: true,
        alternatives: text.lines.length === 1 ? 3 : 0, glossary: terms(), ...chosenMemories(),
      }, own.signal);
      keep(lines, answer);
      text.changed();
    }
    if (missing.length) $("state").textContent = Math.round(performance.now() - begun) + " ms";
    if (!server.dead) notice("");
    text.changed();
  } catch (error) {
    if (error.name === "AbortError") return;
    $("target").classList.remove("stale");
    if (error.status === 429) { $("state").textContent = "busy, waiting…"; translateSoon(1000 * error.wait); }
    else refused(error);
  }
}

/* After a lesson of this window. */
export function relearned() {
  before = new Map([...kept].map(([line, answer]) => [line, answer.text]));
  forgetAnswers();
  translateSoon(0);
  text.taught();
}

/* Lessons of others, while somebody looks: what was translated by an earlier state of the model is asked for again. */
async function lookForNews() {
  if (document.hidden || server.dead || !kept.size) return;
  let states;
  try { states = (await call("frontend/settings")).states; } catch { return; }
  const old = [...kept].filter(([, answer]) => answer.explanation && answer.explanation.state !== states[answer.pair]);
  if (!old.length) return;
  before = new Map(old.map(([line, answer]) => [line, answer.text]));
  for (const [line] of old) kept.delete(line);
  text.forgotten();
  translateSoon(0);
  text.taught();
}

export function watchForNews() {
  setInterval(lookForNews, NEWS_MS);
  for (const name of ["focus", "visibilitychange"]) window.addEventListener(name, lookForNews, true);
}

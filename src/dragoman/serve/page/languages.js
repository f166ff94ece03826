/* The two languages, and what can be done between them. */
import { $, store } from "./dom.js";
import { answerOf, forgetAnswers, text, translateSoon } from "./answers.js";
import { server } from "./server.js";

const display = window.Intl?.DisplayNames ? new Intl.DisplayNames(["en"], { type: "language" }) : null;
export const nameOf = (code) => server.languages.find((language) => language.code === code)?.name || display?.of(code) || code;
export const directionOf = (code) => server.settings.rightToLeft?.includes(code) ? "rtl" : "ltr";

const pairKnown = (from, to) => server.languages.some((language) => language.code === from && language.targets.includes(to));

export function fillLanguages() {
  const sources = server.languages.filter((language) => language.targets.length);
  const from = $("from").value || store.get("from") || server.settings.language.source.code;
  $("from").replaceChildren(...sources.map((language) => new Option(language.name, language.code)));
  if (sources.length > 1) $("from").prepend(new Option("Detect language", "auto"));
  $("from").value = from;
  if (!$("from").value) $("from").selectedIndex = 0;
  const source = $("from").value;
  const targets = new Set(server.languages.filter((language) => source === "auto" || language.code === source)
    .flatMap((language) => language.targets));
  const to = $("to").value || store.get("to") || server.settings.language.target.code;
  $("to").replaceChildren(...[...targets].sort().map((code) => new Option(nameOf(code), code)));
  if (targets.has(to)) $("to").value = to;
  $("swap").disabled = !pairKnown($("to").value, source);
  store.set("from", source);
  store.set("to", $("to").value);
}

export function pairChanged() {
  fillLanguages();
  forgetAnswers();
  translateSoon(0);
}

/* The same text from another language, into one that it can be translated into. */
export function translateFrom(code) {
  $("from").value = code;
  pairChanged();
}

export function swap() {
  const translated = text.lines.map((line) => answerOf(line)?.text ?? line).join("\n");
  const [from, to] = [$("from").value, $("to").value];
  $("from").value = to;
  fillLanguages();
  $("to").value = from;
  $("source").value = translated;
  pairChanged();
}

export function canTeach() {
  const from = $("from").value, learns = server.settings.learns || [];
  return (server.settings.teachers === "everyone" || Boolean(server.key)) &&
    learns.some(([s, t]) => (from === "auto" || s === from) && t === $("to").value);
}

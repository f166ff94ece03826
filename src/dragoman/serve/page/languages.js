/* The two languages, and what can be done between them. */
import { $, store } from "./dom.js";
import { answerOf, forgetAnswers, text, translateSoon } from "./answers.js";
import { server } from "./server.js";

const pairKnown = (from, to) => server.languages.some((each) => each.code === from && each.targets.includes(to));

export function fillLanguages() {
  const names = new Map(server.languages.map((each) => [each.code, each.name]));
  const display = window.Intl?.DisplayNames ? new Intl.DisplayNames(["en"], { type: "language" }) : null;
  const name = (code) => names.get(code) || display?.of(code) || code;
  const from = $("from").value || store.get("from") || server.settings.language.source.code;
  $("from").replaceChildren(...server.languages.map((each) => new Option(each.name, each.code)));
  if (server.languages.length > 1) $("from").prepend(new Option("Detect language", "auto"));
  $("from").value = from;
  if (!$("from").value) $("from").selectedIndex = 0;
  const source = $("from").value;
  const targets = new Set(server.languages.filter((each) => source === "auto" || each.code === source)
    .flatMap((each) => each.targets));
  const to = $("to").value || store.get("to") || server.settings.language.target.code;
  $("to").replaceChildren(...[...targets].sort().map((code) => new Option(name(code), code)));
  if (targets.has(to)) $("to").value = to;
  $("swap").disabled = !pairKnown($("to").value, source);
  for (const id of ["source", "mirror"]) $(id).lang = source === "auto" ? "" : source;
  for (const id of ["target", "correction"]) $(id).lang = $("to").value;
  store.set("from", source);
  store.set("to", $("to").value);
}

export function pairChanged() {
  fillLanguages();
  forgetAnswers();
  translateSoon(0);
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

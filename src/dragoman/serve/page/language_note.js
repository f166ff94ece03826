/* What the language of the text turned out to be: in the list of languages, and in a note where it is not as it should be. */
import { $, make } from "./dom.js";
import { answerOf, text } from "./answers.js";
import { directionOf, nameOf, translateFrom } from "./languages.js";
import { server } from "./server.js";

const UNDETERMINED = "und";

/* Answers of the lines there are, and of which value most of their text is. */
const answers = () => text.lines.filter((line) => line.trim() && answerOf(line)).map((line) => ({ line, ...answerOf(line) }));
function most(some, value) {
  const sizes = new Map();
  for (const answer of some) if (value(answer)) sizes.set(value(answer), (sizes.get(value(answer)) || 0) + answer.line.length);
  return [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/* What to tell the user, and the language to offer instead. */
function finding(all) {
  const whole = (some) => some.length === all.length ? "This" : "Part of this";
  const wrong = all.filter((answer) => answer.looksLike);
  const code = most(wrong, (answer) => answer.looksLike.language), name = most(wrong, (answer) => answer.looksLike.name);
  if ($("from").value !== "auto") {
    if (!wrong.length) return ["", ""];
    return [`${whole(wrong)} looks like ${name}, not ${nameOf($("from").value)}.`, code];
  }
  const left = all.filter((answer) => answer.source === UNDETERMINED);
  if (left.length) return [name ? `${whole(left)} looks like ${name}, which is not translated here.`
    : `${whole(left)} is in no language that is translated here, as far as can be told.`, ""];
  const already = all.filter((answer) => answer.source === $("to").value);
  return already.length ? [`${whole(already)} is ${nameOf($("to").value)} already.`, ""] : ["", ""];
}

export function showLanguage() {
  const all = answers(), auto = $("from").value === "auto";
  const source = auto ? most(all, (answer) => answer.source !== UNDETERMINED && answer.source) : $("from").value;
  const detect = [...$("from").options].find((option) => option.value === "auto");
  if (detect) detect.text = auto && source ? `Detected: ${nameOf(source)}` : "Detect language";
  // Lines of different directions each go their own way.
  const directions = new Set(auto ? all.map((answer) => directionOf(answer.source)) : [directionOf(source)]);
  for (const id of ["source", "mirror"]) { $(id).lang = source || ""; $(id).dir = directions.size === 1 && source ? [...directions][0] : "auto"; }
  for (const id of ["target", "correction"]) { $(id).lang = $("to").value; $(id).dir = directionOf($("to").value); }
  const [said, other] = finding(all);
  const offered = server.languages.some((language) => language.code === other && language.targets.length);
  $("language-note").replaceChildren(said, ...(offered ? [" ", make("button", {
    type: "button", className: "quiet", onclick: () => translateFrom(other),
  }, `Translate from ${nameOf(other)}`)] : []));
  $("language-note").hidden = !said;
}

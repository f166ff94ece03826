/* What the language of the text turned out to be: in the list of languages, and in a note where it is not as it should be. */
import { $, make } from "./dom.js";
import { answerOf, text } from "./answers.js";
import { directionOf, nameOf, translateFrom } from "./languages.js";
import { server } from "./server.js";

const UNDETERMINED = "und";

/* Answers of the lines there are, and of which value most of their text is. */
const answers = () => text.lines.filter((line) => line.trim() && answerOf(line)).map((line) => ({ line, ...answerOf(line) }));
function most(found, value) {
  const sizes = new Map();
  for (const each of found) if (value(each)) sizes.set(value(each), (sizes.get(value(each)) || 0) + each.line.length);
  return [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/* What to tell the user, and the language to offer instead. */
function finding(found) {
  const whole = (some) => some.length === found.length ? "This" : "Part of this";
  const wrong = found.filter((each) => each.looksLike);
  const code = most(wrong, (each) => each.looksLike.language), name = most(wrong, (each) => each.looksLike.name);
  if ($("from").value !== "auto") {
    if (!wrong.length) return ["", ""];
    return [`${whole(wrong)} looks like ${name}, not ${nameOf($("from").value)}.`, code];
  }
  const left = found.filter((each) => each.source === UNDETERMINED);
  if (left.length) return [name ? `${whole(left)} looks like ${name}, which is not translated here.`
    : `${whole(left)} is in no language that is translated here, as far as can be told.`, ""];
  const already = found.filter((each) => each.source === $("to").value);
  return already.length ? [`${whole(already)} is ${nameOf($("to").value)} already.`, ""] : ["", ""];
}

export function showLanguage() {
  const found = answers(), auto = $("from").value === "auto";
  const source = auto ? most(found, (each) => each.source !== UNDETERMINED && each.source) : $("from").value;
  const detect = [...$("from").options].find((each) => each.value === "auto");
  if (detect) detect.text = auto && source ? `Detected: ${nameOf(source)}` : "Detect language";
  // Lines of different directions each go their own way.
  const directions = new Set(auto ? found.map((each) => directionOf(each.source)) : [directionOf(source)]);
  for (const id of ["source", "mirror"]) { $(id).lang = source || ""; $(id).dir = directions.size === 1 && source ? [...directions][0] : "auto"; }
  for (const id of ["target", "correction"]) { $(id).lang = $("to").value; $(id).dir = directionOf($("to").value); }
  const [said, other] = finding(found);
  const offered = server.languages.some((each) => each.code === other && each.targets.length);
  $("language-note").replaceChildren(said, ...(offered ? [" ", make("button", {
    type: "button", className: "quiet", onclick: () => translateFrom(other),
  }, `Translate from ${nameOf(other)}`)] : []));
  $("language-note").hidden = !said;
}

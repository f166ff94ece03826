/* The stored pairs nearest to a text of one line, as a translation memory shows them. */
import { $, make, slicer } from "./dom.js";
import { answerOf, text } from "./answers.js";
import { canTeach } from "./languages.js";
import { choiceName, chosenMemories } from "./memories.js";
import { call } from "./server.js";
import { edit } from "./teaching.js";

const MOST = 3, AT_LEAST = 60, WAIT_MS = 150;
let shown = null, request = null, timer = 0; // shown: what the matches are for

/* What differs from the text is struck out: it is what has to be changed. */
function withChanges(written, spans) {
  const cut = slicer(written), nodes = [];
  let at = 0;
  for (const [begin, end] of spans) {
    nodes.push(cut(at, begin), make("del", {}, cut(begin, end)));
    at = end;
  }
  return [...nodes, cut(at, undefined)];
}

function row(match) {
  const where = match.file ? match.file + (match.line ? ":" + match.line : "")
    : match.name?.startsWith("taught-") ? "taught here" : match.name || "";
  const memory = match.memory ? ` (${match.memory})` : "";
  return make("li", {},
    make("b", { className: match.percent === 100 ? "percent exact" : "percent" }, match.percent + " %"),
    make("div", { className: "grow-1" }, make("p", { dir: "auto", className: "other" }, ...withChanges(match.source, match.sourceChanges)),
      make("p", { dir: "auto" }, match.target), make("p", { className: "place" }, where + memory)),
    ...(canTeach() ? [make("button", { type: "button", className: "quiet", onclick: () => edit(match.target) }, "Use")] : []));
}

function draw(matches) {
  $("no-matches").hidden = matches.length > 0;
  $("matches").replaceChildren(...matches.map(row));
}

async function ask(line, source, target) {
  request?.abort();
  request = new AbortController();
  try {
    const body = { q: line, source, target, most: MOST, atLeast: AT_LEAST, ...chosenMemories() };
    draw((await call("matches", body, request.signal)).matches);
  } catch (error) {
    if (error.name === "AbortError") return;
    // Who may not see stored text has no use for an empty card.
    if (error.status === 403) $("matches-card").hidden = true;
    draw([]);
  }
}

/* When a translation has come: before that, nobody knows the language of the text. */
export function showMatches() {
  const line = text.lines.length === 1 ? text.lines[0] : "", answer = answerOf(line);
  const source = answer?.source, target = $("to").value;
  // The state of the model is part of it: what was taught or forgotten may be a match or none any more.
  const wanted = answer ? [line, source, target, choiceName(), answer.explanation?.state].join("\n") : "";
  if (wanted === shown) return;
  shown = wanted;
  clearTimeout(timer);
  if (!line.trim()) draw([]);
  else if (wanted && answer.explanation) timer = setTimeout(ask, WAIT_MS, line.trim(), source, target);
}

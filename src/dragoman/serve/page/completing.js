/* While a correction is typed, how it may go on stands behind the cursor in grey; Tab takes the next word of it. */
import { $ } from "./dom.js";
import { answerOf, text } from "./answers.js";
import { terms } from "./glossary.js";
import { chosenMemories } from "./memories.js";
import { call } from "./server.js";
import { grow, isEditing } from "./teaching.js";

const WAIT_MS = 60;
let offered = null, request = null, timer = 0; // offered: {typed, rest}

const atEnd = () => $("correction").selectionStart === $("correction").value.length;

function draw() {
  const typed = $("correction").value;
  const rest = offered && offered.typed === typed && atEnd() && isEditing() ? offered.rest : "";
  $("ghost-typed").textContent = rest ? typed : "";
  $("ghost-rest").textContent = rest;
  $("next-word").hidden = !rest;
}

async function ask() {
  const typed = $("correction").value, line = text.lines[0];
  const source = $("from").value === "auto" ? answerOf(line)?.source : $("from").value;
  if (!isEditing() || !atEnd() || !source) return;
  request?.abort();
  request = new AbortController();
  try {
    const body = { q: $("source").value, prefix: typed, source, target: $("to").value, glossary: terms(), ...chosenMemories() };
    offered = { typed, rest: (await call("complete", body, request.signal)).rest };
    draw();
  } catch { /* no help is no trouble: typing goes on */ }
}

/* After every change of the text or the cursor. What was offered and is being typed stays, so that nothing flickers. */
export function goOn() {
  const typed = $("correction").value, more = offered ? typed.slice(offered.typed.length) : "";
  if (offered && typed === offered.typed) { draw(); return; }
  offered = offered && typed.startsWith(offered.typed) && offered.rest.startsWith(more)
    ? { typed, rest: offered.rest.slice(more.length) } : null;
  draw();
  clearTimeout(timer);
  if (isEditing() && atEnd()) timer = setTimeout(ask, WAIT_MS);
}

export function beginTyping() {
  offered = null;
  goOn();
}

export function takeWord() {
  const [word] = /^\s*\S+|^\s+/u.exec(offered.rest), field = $("correction");
  field.setRangeText(word, field.value.length, field.value.length, "end");
  offered = { typed: field.value, rest: offered.rest.slice(word.length) };
  field.focus();
  grow();
  draw();
}

/* Where nothing is offered Tab goes to the next button, as everywhere. */
export function tabPressed(event) {
  if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey || !$("ghost-rest").textContent) return;
  event.preventDefault();
  takeWord();
}

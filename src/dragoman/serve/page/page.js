/* The page: text on the left is translated as it is typed. This puts the parts together: what is shown when there is
   something new, and what every button and key does. */
import { $, store } from "./dom.js";
import {
  forgetAnswers, hasText, isComplete, readLines, sentences, text, translateSoon, translation, watchForNews,
} from "./answers.js";
import { beginTyping, goOn, tabPressed, takeWord } from "./completing.js";
import { droppable, translateFile } from "./files.js";
import { showHits, startGlossary } from "./glossary.js";
import { showLanguage } from "./language_note.js";
import { canTeach, fillLanguages, pairChanged, swap } from "./languages.js";
import { showMatches } from "./matches.js";
import { startMemories } from "./memories.js";
import { choose, chooseWord, showThrough, showTree } from "./phrases.js";
import { notice, readSettings, server } from "./server.js";
import { showTaughtSoon, startTaught } from "./taught.js";
import { edit, editing, grow, isEditing, learn, showAlternatives, typing } from "./teaching.js";
import { light, placeOf, showWords, unlight, walk, wordUnder } from "./words.js";

function showCount() {
  const limit = server.settings.charLimit, length = $("source").value.length;
  $("count").textContent = length ? length.toLocaleString() + (limit > 0 ? " / " + limit.toLocaleString() : "") : "";
}

function show() {
  showLanguage();
  showWords();
  $("target").classList.toggle("stale", !isComplete());
  $("edit").disabled = $("copy").disabled = !isComplete() || !hasText();
  $("edit").hidden = !canTeach() || isEditing();
  $("clear").hidden = !hasText();
  showCount();
  showTree();
  showThrough();
  showAlternatives();
  showMatches();
  showHits(sentences());
}

/* While typing, the copy must have the text's height at once; words come with the answer. */
function typed() {
  readLines();
  show();
  translateSoon();
}

function pressed(event) {
  if (event.key === "Escape") {
    if (isEditing()) { editing(false); $("edit").focus(); } else choose(null);
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (isEditing()) learn();
    else if (!$("edit").disabled && !$("edit").hidden) edit();
  }
}

function keyGiven() {
  if ($("key-dialog").returnValue !== "save") return;
  server.key = $("key").value.trim();
  store.set("key", server.key);
  notice("");
  translateSoon(0);
  showTaughtSoon(0);
}

function wire() {
  const on = (id, name, action) => $(id).addEventListener(name, action);
  on("source", "input", typed);
  on("source", "mousemove", (event) => light(placeOf(wordUnder(event))));
  on("source", "mouseleave", unlight);
  on("target", "mouseover", (event) => light(placeOf(event.target)));
  on("target", "mouseleave", unlight);
  on("target", "focusin", (event) => light(placeOf(event.target)));
  on("target", "focusout", unlight);
  on("target", "click", (event) => chooseWord(event.target));
  on("target", "dblclick", () => canTeach() && edit());
  on("target", "keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey) chooseWord(event.target); else walk(event); });
  on("from", "change", pairChanged);
  on("to", "change", pairChanged);
  on("swap", "click", swap);
  on("edit", "click", () => edit());
  on("cancel", "click", () => editing(false));
  on("learn", "click", learn);
  on("retype", "click", () => edit(""));
  on("correction", "input", () => { grow(); goOn(); });
  on("correction", "keydown", tabPressed);
  on("next-word", "click", takeWord);
  for (const name of ["keyup", "pointerup", "focus"]) on("correction", name, goOn);
  on("copy", "click", async () => {
    await navigator.clipboard?.writeText(translation());
    $("state").textContent = "copied";
  });
  on("clear", "click", () => { $("source").value = ""; translateSoon(0); $("source").focus(); });
  on("open-file", "click", () => $("file").click());
  on("file", "change", (event) => { for (const file of event.target.files) translateFile(file); event.target.value = ""; });
  on("phrase-close", "click", () => choose(null));
  on("key-button", "click", () => { $("key").value = server.key; $("key-dialog").showModal(); });
  on("key-dialog", "close", keyGiven);
  on("theme", "click", () => { theme.next(); $("theme").textContent = "Theme: " + theme.chosen; });
  droppable($("source-pane"));
  document.addEventListener("keydown", pressed);
}

async function begin() {
  try { await readSettings(); } catch { return; }
  $("key-button").hidden = !server.settings.apiKeys;
  $("open-file").hidden = !server.settings.filesTranslation;
  $("file").accept = (server.settings.supportedFilesFormat || []).join(",");
  fillLanguages();
  show();
  showTaughtSoon(0);
}

text.changed = show;
typing.begun = beginTyping;
text.forgotten = () => choose(null);
text.taught = () => showTaughtSoon(0);
server.whenBack = async () => {
  if (!server.languages.length) await begin();
  translateSoon(0);
};
$("theme").textContent = "Theme: " + theme.chosen;
startTaught();
startGlossary(() => { forgetAnswers(); translateSoon(); });
startMemories(() => { forgetAnswers(); translateSoon(0); });
wire();
await begin();
watchForNews();
if ($("source").value) translateSoon(0);

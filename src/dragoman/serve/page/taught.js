/* What I taught: the lessons that the server has for this pair, the last one first; searched, edited, forgotten. */
import { $, make } from "./dom.js";
import { relearned } from "./answers.js";
import { canTeach } from "./languages.js";
import { showMemories } from "./memories.js";
import { call, refused, server } from "./server.js";

const AT_ONCE = 10, WAIT_MS = 200;
let lessons = [], total = 0, request = null, timer = 0, added = null;

/* Where the language is detected, the lessons of a model into this one. */
function pair() {
  const target = $("to").value, from = $("from").value;
  const source = from === "auto" ? (server.settings.learns || []).find(([, t]) => t === target)?.[0] : from;
  return { source, target };
}

/* Teaches; what looks wrong only if the user says so. False where that was not wanted. */
export async function teach(lesson) {
  try {
    return await call("suggest", lesson);
  } catch (error) {
    if (error.status !== 400 || !error.message.includes("(--force)")) throw error;
    const reason = error.message.replace(/^Invalid request: /, "").replace(/; force [^;]*$/, "");
    if (!window.confirm(`This looks wrong: ${reason}.\n\nTeach it all the same?`)) return false;
    return await call("suggest", { ...lesson, force: true });
  }
}

export function showTaughtSoon(wait = WAIT_MS) {
  clearTimeout(timer);
  timer = setTimeout(() => read(0, Math.min(Math.max(lessons.length, AT_ONCE), 100)), wait);
}

/* Reads so many lessons, after those that are here already or from the beginning. */
async function read(offset, limit) {
  const { source, target } = pair();
  $("taught").hidden = !canTeach() || !source;
  if ($("taught").hidden) return;
  request?.abort();
  const own = request = new AbortController();
  const search = $("taught-search").value.trim();
  try {
    const answer = await call("lessons", { source, target, search, offset, limit }, own.signal);
    lessons = [...lessons.slice(0, offset), ...answer.lessons];
    total = answer.total;
    showMemories(Object.keys(answer.memories));
  } catch (error) {
    if (error.name === "AbortError") return;
    // Who may teach need not be one who may see what was taught; then the view is not there.
    if (error.status === 403) $("taught").hidden = true;
    else refused(error);
    return;
  }
  show(search);
}

function show(search) {
  // What is being edited stays as it is.
  if (document.querySelector("#taught-list textarea")) return;
  $("taught-list").replaceChildren(...lessons.map(row));
  $("taught-more").hidden = lessons.length >= total;
  const many = `${total.toLocaleString()} ${total === 1 ? "lesson" : "lessons"}`;
  $("taught-count").textContent = search ? `${many} with these words` : total ? many : "";
  $("taught-none").hidden = total > 0 || Boolean(search);
  $("taught-search").hidden = !total && !search;
  added = null;
}

const button = (text, onclick, className = "quiet") => make("button", { type: "button", className, onclick }, text);

function row(lesson) {
  const node = make("li", { className: lesson.target === added ? "fresh" : "" },
    make("div", { className: "taught-texts" }, make("p", { dir: "auto" }, lesson.source),
      make("p", { dir: "auto", className: "other" }, lesson.target), make("p", { className: "place" }, about(lesson))),
    make("div", { className: "taught-buttons" }, button("Edit", () => edit(node, lesson)),
      button("Forget", () => forget(lesson))));
  return node;
}

function about(lesson) {
  const when = lesson.added && new Date(lesson.added).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const names = lesson.ids.length > 1 ? `taught ${lesson.ids.length} times` : "";
  const memory = lesson.memory === "default" ? "" : lesson.memory;
  return [memory, when, lesson.places.join(", "), names].filter(Boolean).join(" · ");
}

async function forget(lesson) {
  try {
    await call("forget", { ids: lesson.ids, memory: lesson.memory, ...pair() });
    for (const shown of document.querySelectorAll("#lessons li"))
      if (lesson.ids.includes(shown.dataset.id) && lesson.memory === shown.dataset.memory) shown.remove();
    relearned();
  } catch (error) { refused(error); }
}

function edit(node, lesson) {
  const field = (value, label) => make("textarea", { value, dir: "auto", ariaLabel: label, rows: 2 });
  const source = field(lesson.source, "Text"), target = field(lesson.target, "Its translation");
  const back = () => node.replaceWith(row(lesson));
  const save = async () => {
    const [q, s] = [source.value.trim(), target.value.trim()];
    if (!q || !s) return;
    try {
      if (!await teach({ q, s, ids: lesson.ids, memory: lesson.memory, ...pair() })) return;
      back();
      added = s;
      relearned();
    } catch (error) { refused(error); }
  };
  const keys = (event) => {
    if (event.key === "Escape") back();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else return;
    event.stopPropagation();
    event.preventDefault();
  };
  node.replaceChildren(make("div", { className: "taught-texts", onkeydown: keys }, source, target),
    make("div", { className: "taught-buttons" }, button("Save", save, "main"), button("Cancel", back)));
  target.focus();
}

/* The lesson that was taught just now is pointed out when the list is read again. */
export const pointOut = (written) => { added = written; };

export function startTaught() {
  $("taught-search").addEventListener("input", () => { lessons = []; showTaughtSoon(); });
  $("taught-more").addEventListener("click", () => read(lessons.length, 3 * AT_ONCE));
  // Another model has other lessons, and other memories.
  const others = () => { lessons = []; showMemories([]); showTaughtSoon(0); };
  for (const id of ["from", "to"]) $(id).addEventListener("change", others);
  $("swap").addEventListener("click", others);
  window.addEventListener("focus", () => showTaughtSoon(0));
}

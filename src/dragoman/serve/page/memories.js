/* Memories of the model for this pair: which of them apply to translations, and which one is taught. Both choices stay
   in the browser; a memory that is new here applies until somebody says otherwise. */
import { $, make, store } from "./dom.js";

const DEFAULT = "default";
let known = [], changed = () => {};
let unused = new Set();

const applied = () => known.filter((name) => !unused.has(name));

/* What goes along with a request for a translation: nothing where all apply. */
export const chosenMemories = () => applied().length < known.length ? { memories: applied() } : {};
/* The same as one text, to tell answers apart by. */
export const choiceName = () => (chosenMemories().memories || []).join(",");
/* And with a lesson. */
export function taughtMemory() {
  const name = $("memory").value.trim();
  return name && name !== DEFAULT ? { memory: name } : {};
}

function toggle(name, on) {
  if (on) unused.delete(name); else unused.add(name);
  // Without any, nothing that was taught would apply, and nobody could say so to the server.
  if (!applied().length) unused.delete(name);
  store.set("unused", JSON.stringify([...unused]));
  draw();
  changed();
}

function draw() {
  $("memory-names").replaceChildren(...known.map((name) => make("option", { value: name })));
  $("applied").hidden = known.length < 2;
  $("applied-list").replaceChildren(...known.map((name) => make("label", { dir: "auto" }, make("input", {
    type: "checkbox", checked: !unused.has(name), onchange: (event) => toggle(name, event.target.checked),
  }), " " + name)));
}

/* The names that the server has. */
export function showMemories(names) {
  const before = choiceName();
  if (names.join("\n") === known.join("\n")) return;
  known = names;
  draw();
  if (choiceName() !== before) changed();
}

export function startMemories(whenChanged) {
  changed = whenChanged;
  try { unused = new Set(JSON.parse(store.get("unused") || "[]")); } catch { /* not ours */ }
  $("memory").value = store.get("memory") || "";
  $("memory").addEventListener("change", () => store.set("memory", $("memory").value.trim()));
}

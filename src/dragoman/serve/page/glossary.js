/* Terms that are always translated so; they stay in the browser and go along with every request. */
import { $, make, store } from "./dom.js";

let changed = () => {};

const rows = () => [...document.querySelectorAll(".term-row")];

export function terms() {
  const terms = {};
  for (const row of rows()) {
    const [source, target] = [...row.querySelectorAll("input")].map((input) => input.value.trim());
    if (source) terms[source] = target;
  }
  return terms;
}

/* How often each term was used in these sentences. */
export function showHits(sentences) {
  const hits = new Map();
  for (const sentence of sentences)
    for (const [term] of sentence.terms) hits.set(term.toLowerCase(), (hits.get(term.toLowerCase()) || 0) + 1);
  for (const row of rows()) {
    const count = hits.get(row.querySelector("input").value.trim().toLowerCase());
    row.querySelector(".hits").textContent = count ? `${count}×` : "";
  }
}

function edited() {
  store.set("glossary", JSON.stringify(terms()));
  changed();
}

function addTerm(source = "", target = "") {
  const input = (value, label) => make("input", { value, dir: "auto", ariaLabel: label, placeholder: label, oninput: edited });
  const row = make("div", { className: "term-row" }, input(source, "term"), make("span", { className: "arrow" }, "→"),
    input(target, "its translation"), make("span", { className: "hits dim" }), make("button", {
      type: "button", className: "quiet", ariaLabel: "Remove this term", onclick: () => { row.remove(); edited(); },
    }, "×"));
  $("terms").append(row);
  return row;
}

export function startGlossary(whenChanged) {
  changed = whenChanged;
  let kept = {};
  try { kept = JSON.parse(store.get("glossary") || "{}"); } catch { /* not ours */ }
  for (const [source, target] of Object.entries(kept)) addTerm(source, target);
  $("add-term").addEventListener("click", () => addTerm().querySelector("input").focus());
}

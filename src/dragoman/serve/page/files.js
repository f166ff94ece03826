/* Files that are dropped on the text or opened. */
import { $, make } from "./dom.js";
import { chosenMemories } from "./memories.js";
import { call } from "./server.js";

export async function translateFile(file, force = false) {
  const status = make("span", { className: "dim" }, "translating…");
  const row = make("li", {}, make("span", { className: "grow-1" }, file.name), status);
  $("files").prepend(row);
  const body = new FormData();
  for (const [name, value] of [["file", file], ["source", $("from").value], ["target", $("to").value], ["force", force]]) body.append(name, value);
  for (const [name, value] of Object.entries(chosenMemories())) body.append(name, value.join(","));
  try {
    const answer = await call("translate_file", body);
    const address = new URL(answer.translatedFileUrl);
    // The server may be known by another name here, behind a proxy.
    status.replaceWith(make("a", { href: address.pathname.slice(1), download: "" }, "Download the translation"));
    if (answer.looksLike) row.append(make("span", { className: "failed" }, `It looks like ${answer.looksLike.name}.`));
  } catch (error) {
    status.className = "failed";
    status.textContent = error.message;
    if (error.message.includes("--force")) row.append(make("button", {
      type: "button", className: "quiet", onclick: () => { row.remove(); translateFile(file, true); },
    }, "Translate it all the same"));
  }
}

export function droppable(pane) {
  for (const name of ["dragenter", "dragover"]) pane.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    pane.classList.add("dropping");
  });
  for (const name of ["dragleave", "drop"]) pane.addEventListener(name, () => pane.classList.remove("dropping"));
  pane.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    for (const file of event.dataTransfer.files) translateFile(file);
  });
}

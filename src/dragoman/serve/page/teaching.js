/* Correcting a translation, and taking it back. */
import { $, make } from "./dom.js";
import { answerOf, relearned, text, translation } from "./answers.js";
import { canTeach } from "./languages.js";
import { chosenMemories, taughtMemory } from "./memories.js";
import { call, refused } from "./server.js";
import { pointOut, teach } from "./taught.js";

export const typing = { begun: () => {} }; // called when a correction is begun
export const isEditing = () => !$("correction").hidden;

export function edit(proposed) {
  $("correction").value = proposed ?? translation();
  editing(true);
  $("correction").focus();
  grow();
  typing.begun();
}

export function editing(on) {
  for (const name of ["correction", "ghost", "learn", "cancel", "retype"]) $(name).hidden = !on;
  if (!on) $("next-word").hidden = true;
  $("copy").hidden = on;
  $("target").hidden = on;
  $("edit").hidden = on || !canTeach();
}

/* The correction is as tall as its text. */
export function grow() {
  $("correction").style.height = "0";
  $("correction").style.height = $("correction").scrollHeight + "px";
}

export async function learn() {
  const q = $("source").value.trim(), s = $("correction").value.trim();
  if (!q || !s) return;
  const source = $("from").value === "auto" ? answerOf(text.lines[0])?.source || "auto" : $("from").value;
  const target = $("to").value;
  $("learn").disabled = true;
  try {
    const memory = taughtMemory();
    const answer = await teach({ q, s, source, target, ...memory, ...chosenMemories() });
    if (!answer) return;
    if (answer.ids.length) $("lessons").prepend(lesson(s, answer.ids, { source, target, ...memory }));
    pointOut(s);
    editing(false);
    relearned();
  } catch (error) {
    refused(error);
  } finally {
    $("learn").disabled = false;
  }
}

function lesson(written, ids, place) {
  const data = { id: ids[0], memory: place.memory || "default" };
  const row = make("li", { data }, make("strong", {}, "Learned"), make("span", { className: "grow-1", dir: "auto" }, written),
    make("button", {
      type: "button", className: "quiet", onclick: async () => {
        try {
          await call("forget", { ids, ...place });
          row.remove();
          relearned();
        } catch (error) { refused(error); }
      },
    }, "Forget it"));
  return row;
}

/* The next best translations of a text of one line; one of them may be what to teach. */
export function showAlternatives() {
  const alternatives = text.lines.length === 1 ? answerOf(text.lines[0])?.alternatives || [] : [];
  $("no-alternatives").hidden = alternatives.length > 0;
  $("alternatives").replaceChildren(...alternatives.map((written) => make("li", {}, make("span", { dir: "auto" }, written),
    ...(canTeach() ? [make("button", { type: "button", className: "quiet", onclick: () => edit(written) }, "Use")] : []))));
}

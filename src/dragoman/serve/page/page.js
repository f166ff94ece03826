/* The page: text on the left is translated as it is typed, line by line, and each line's answer is kept until the
   model, the pair or the glossary changes. Everything shown is made with DOM calls: no text becomes markup. */
"use strict";

const WAIT_MS = 220, LINES_AT_ONCE = 12, KEPT_LINES = 2000, MOST_TREES = 40, NEW_MS = 4000, UNSURE = 0.35;
const store = {
  get(name) { try { return localStorage.getItem("dragoman." + name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem("dragoman." + name, value); } catch { /* private window */ } },
};
const themes = ["system", "light", "dark"];
let theme = store.get("theme") || "system";
const showTheme = () => {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};
showTheme(); // before anything is drawn

const state = {
  languages: [], settings: {}, key: store.get("key") || "",
  lines: [],            // what stands on the left, line by line
  cache: new Map(),     // line -> {text, explanation, alternatives}
  before: new Map(),    // line -> its translation before the last lesson, to show what changed
  request: null, timer: 0, chosen: null, dead: false,
};
const $ = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(node.dataset, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined) node[name] = value;
  }
  node.append(...children);
  return node;
}

/* ---- talking to the server ---- */

class Refused extends Error {
  constructor(status, message, wait) { super(message); this.status = status; this.wait = wait; }
}

async function call(path, body, signal) {
  const headers = state.key ? { Authorization: "Bearer " + state.key } : {};
  const form = body instanceof FormData;
  if (body && !form) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method: body ? "POST" : "GET", headers, signal, body: form ? body : body && JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    lost();
    throw new Refused(0, "The server does not answer.");
  }
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return data;
  throw new Refused(answer.status, data.error || "The server refused.", Number(answer.headers.get("Retry-After")) || 1);
}

function notice(text) {
  $("notice").textContent = text || "";
  $("notice").hidden = !text;
}

/* The server went away: say so, keep the text, and look for it until it is back. */
async function lost() {
  if (state.dead) return;
  state.dead = true;
  notice("The server does not answer. Your text is safe here; trying to reach it again…");
  while (state.dead) {
    await new Promise((done) => setTimeout(done, 2000));
    try {
      if ((await fetch("health")).ok) state.dead = false;
    } catch { /* still away */ }
  }
  notice("");
  if (!state.languages.length) await begin();
  translateSoon(0);
}

/* ---- languages ---- */

const pairKnown = (from, to) => state.languages.some((each) => each.code === from && each.targets.includes(to));

function fillLanguages() {
  const names = new Map(state.languages.map((each) => [each.code, each.name]));
  const display = window.Intl?.DisplayNames ? new Intl.DisplayNames(["en"], { type: "language" }) : null;
  const name = (code) => names.get(code) || display?.of(code) || code;
  const from = $("from").value || store.get("from") || state.settings.language.source.code;
  $("from").replaceChildren(...state.languages.map((each) => new Option(each.name, each.code)));
  if (state.languages.length > 1) $("from").prepend(new Option("Detect language", "auto"));
  $("from").value = from;
  if (!$("from").value) $("from").selectedIndex = 0;
  const source = $("from").value;
  const targets = new Set(state.languages.filter((each) => source === "auto" || each.code === source)
    .flatMap((each) => each.targets));
  const to = $("to").value || store.get("to") || state.settings.language.target.code;
  $("to").replaceChildren(...[...targets].sort().map((code) => new Option(name(code), code)));
  if (targets.has(to)) $("to").value = to;
  $("swap").disabled = !pairKnown($("to").value, source);
  for (const id of ["source", "mirror"]) $(id).lang = source === "auto" ? "" : source;
  for (const id of ["target", "correction"]) $(id).lang = $("to").value;
  store.set("from", source);
  store.set("to", $("to").value);
}

function pairChanged() {
  fillLanguages();
  forgetAnswers();
  translateSoon(0);
}

function swap() {
  const text = state.lines.map((line) => state.cache.get(line)?.text ?? line).join("\n");
  const [from, to] = [$("from").value, $("to").value];
  $("from").value = to;
  fillLanguages();
  $("to").value = from;
  $("source").value = text;
  pairChanged();
}

/* ---- translating ---- */

function forgetAnswers() {
  state.cache.clear();
  choose(null);
}

function translateSoon(wait = WAIT_MS) {
  clearTimeout(state.timer);
  state.timer = setTimeout(translate, wait);
}

async function translate() {
  state.request?.abort();
  const request = state.request = new AbortController();
  state.lines = $("source").value.split("\n");
  const missing = [...new Set(state.lines)].filter((line) => line.trim() && !state.cache.has(line));
  if (missing.length) $("target").classList.add("stale");
  const begun = performance.now();
  try {
    for (let at = 0; at < missing.length; at += LINES_AT_ONCE) {
      const lines = missing.slice(at, at + LINES_AT_ONCE);
      const answer = await call("translate", {
        q: lines, source: $("from").value, target: $("to").value, explain: true,
        alternatives: state.lines.length === 1 ? 3 : 0, glossary: glossary(),
      }, request.signal);
      lines.forEach((line, number) => state.cache.set(line, {
        text: answer.translatedText[number], explanation: answer.explanation[number],
        alternatives: answer.alternatives?.[number] || [], detected: answer.detectedLanguage?.[number]?.language,
        old: state.before.get(line), at: performance.now(),
      }));
      while (state.cache.size > KEPT_LINES) state.cache.delete(state.cache.keys().next().value);
      show();
    }
    if (missing.length) $("state").textContent = Math.round(performance.now() - begun) + " ms";
    if (!state.dead) notice("");
    show();
  } catch (error) {
    if (error.name === "AbortError") return;
    $("target").classList.remove("stale");
    if (error.status === 429) { $("state").textContent = "busy, waiting…"; translateSoon(1000 * error.wait); }
    else if (error.status) refused(error);
  }
}

function refused(error) {
  notice(error.message + (error.status === 403 ? " Enter a key with the button above." : ""));
  if (error.status === 403) $("key-button").hidden = false;
}

/* ---- drawing ---- */

/* Offsets of the server count characters, JavaScript counts halves of some. */
function slicer(text) {
  const characters = [...text];
  if (characters.length === text.length) return (begin, end) => text.slice(begin, end);
  return (begin, end) => characters.slice(begin, end).join("");
}

/* One line as text and words; word(sentence, number) makes the node of a word. */
function drawLine(text, sentences, side, word) {
  if (!sentences) return [text];
  const cut = slicer(text), nodes = [];
  let at = 0;
  sentences.forEach((sentence, number) => {
    sentence[side + "Tokens"].forEach(([begin, end], token) => {
      if (begin < at || begin === end) return;
      nodes.push(cut(at, begin), word(number, token, cut(begin, end)));
      at = end;
    });
  });
  nodes.push(cut(at, undefined));
  return nodes;
}

function phraseOf(sentence, token) {
  const holds = ([begin, end], gaps) => begin <= token && token < end && !gaps.some(([b, e]) => b <= token && token < e);
  return sentence.derivation.findIndex((each) => holds(each.targetSpan, each.targetGaps));
}

function show() {
  const mirror = [], target = [];
  state.lines.forEach((line, number) => {
    const found = state.cache.get(line);
    const sentences = found?.explanation?.sentences;
    const last = number === state.lines.length - 1;
    mirror.push(...drawLine(line, sentences, "source", (sentence, token, text) =>
      make("span", { data: { place: `${number} ${sentence} s${token}` } }, text)), last ? " " : "\n");
    const fresh = found?.old !== undefined && found.old !== found.text && performance.now() - found.at < NEW_MS;
    const oldWords = fresh && new Set(found.old.split(/[\s.,;:!?]+/));
    target.push(...drawLine(found?.text ?? "", sentences, "target", (sentence, token, text) => {
      const node = make("span", {
        className: "w", tabIndex: -1, data: { place: `${number} ${sentence} t${token}` }, role: "button",
      }, text);
      if (sentences[sentence].unknown.includes(token)) {
        node.classList.add("unknown");
        node.title = "No training sentence has this word";
      }
      const sure = sentences[sentence].wordConfidence?.[token];
      if (sure !== undefined && sure !== null && sure < UNSURE) {
        node.classList.add("unsure");
        node.title = `The model is not sure of this word (${Math.round(100 * sure)} %)`;
      }
      if (fresh && !oldWords.has(text)) node.classList.add("changed");
      return node;
    }), last ? "" : "\n");
  });
  $("mirror").replaceChildren(...mirror);
  $("target").replaceChildren(...target);
  $("target").querySelector(".w")?.setAttribute("tabindex", "0");
  const complete = state.lines.every((line) => !line.trim() || state.cache.has(line));
  $("target").classList.toggle("stale", !complete);
  const any = state.lines.some((line) => line.trim());
  $("edit").disabled = $("copy").disabled = !complete || !any;
  $("edit").hidden = !canTeach() || !$("correction").hidden;
  $("clear").hidden = !any;
  count();
  showTree();
  showAlternatives();
  showHits();
}

function count() {
  const limit = state.settings.charLimit, length = $("source").value.length;
  $("count").textContent = length ? length.toLocaleString() + (limit > 0 ? " / " + limit.toLocaleString() : "") : "";
}

const translation = () => state.lines.map((line) => state.cache.get(line)?.text ?? "").join("\n");

/* ---- links ---- */

const nodeAt = (line, sentence, side, token) =>
  document.querySelector(`${side === "s" ? "#mirror" : "#target"} [data-place="${line} ${sentence} ${side}${token}"]`);

function placeOf(node) {
  const [line, sentence, word] = (node?.dataset?.place || "").split(" ");
  if (!word) return null;
  return { line: Number(line), sentence: Number(sentence), side: word[0], token: Number(word.slice(1)) };
}

const sentenceAt = (place) => state.cache.get(state.lines[place.line])?.explanation?.sentences[place.sentence];

function unlight() {
  for (const node of document.querySelectorAll(".in-phrase, .linked")) node.classList.remove("in-phrase", "linked");
}

function lightPhrase(place, number) {
  const phrase = sentenceAt(place)?.derivation[number];
  if (!phrase) return;
  for (const [side, [begin, end], gaps] of [["s", phrase.sourceSpan, phrase.sourceGaps], ["t", phrase.targetSpan, phrase.targetGaps]])
    for (let token = begin; token < end; token++)
      if (!gaps.some(([b, e]) => b <= token && token < e))
        nodeAt(place.line, place.sentence, side, token)?.classList.add("in-phrase");
  document.querySelector(`#tree [data-node="${place.line} ${place.sentence} ${number}"]`)?.classList.add("in-phrase");
}

/* Lights up the phrase a word belongs to, and strongly the words it is linked to. */
function light(place) {
  unlight();
  const sentence = place && sentenceAt(place);
  if (!sentence) return;
  const linked = sentence.links.filter(([s, t]) => (place.side === "s" ? s : t) === place.token);
  const targets = place.side === "t" ? [place.token] : linked.map(([, t]) => t);
  for (const token of targets) lightPhrase(place, phraseOf(sentence, token));
  nodeAt(place.line, place.sentence, place.side, place.token)?.classList.add("linked");
  for (const [s, t] of linked) {
    nodeAt(place.line, place.sentence, "s", s)?.classList.add("linked");
    nodeAt(place.line, place.sentence, "t", t)?.classList.add("linked");
  }
}

/* The word of the copy that lies under the textarea at this point. */
const wordUnder = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((node) => node.dataset?.place);

/* ---- sources ---- */

/* A rule's side as the model writes it: words, and gaps as numbered boxes. */
function side(text) {
  return text.split(" ").flatMap((word) => {
    const gap = /^\[X,(\d+)\]$/.exec(word);
    return gap ? [make("span", { className: "gap" }, gap[1]), " "] : [plainWord(word) + " "];
  });
}
const plainWord = (word) => word.replace(/^[\uffed\u2581]+|[\uffed\u2581]+$/gu, "")
  .replace(/\uffee([0-9a-f]+);/giu, (_, code) => String.fromCodePoint(parseInt(code, 16)))
  .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replace(/&amp;/g, "&");

function marked(text, spans) {
  const cut = slicer(text), nodes = [];
  let at = 0;
  for (const [begin, end] of spans) {
    nodes.push(cut(at, begin), make("mark", {}, cut(begin, end)));
    at = end;
  }
  nodes.push(cut(at, undefined));
  return nodes;
}

function example(origin, sources) {
  const pair = sources[origin.pair];
  if (!pair) return null;
  const taught = pair.name?.startsWith("taught-");
  const where = [pair.file && pair.file + (pair.line ? ":" + pair.line : ""), !pair.file && !taught && (pair.name || "pair " + origin.pair),
    ...Object.entries(pair.attributes || {}).filter(([name]) => name !== "taught").map(([name, value]) => `${name} ${value}`)].filter(Boolean).join(" · ");
  return make("li", {}, make("p", {}, ...marked(pair.source, origin.source)),
    make("p", { className: "other" }, ...marked(pair.target, origin.target)),
    make("p", { className: "place" }, ...(taught ? [make("span", { className: "taught-badge" }, "taught here"), where && " · "] : []), where));
}

function choose(place, number) {
  state.chosen = place && { ...place, phrase: number };
  for (const node of document.querySelectorAll(".chosen")) node.classList.remove("chosen");
  $("phrase").classList.toggle("open", Boolean(place));
  $("phrase-close").hidden = !place;
  const found = place && state.cache.get(state.lines[place.line]);
  const phrase = found?.explanation.sentences[place.sentence].derivation[number];
  if (!phrase) {
    $("phrase-body").replaceChildren(make("p", { className: "dim" },
      place ? "No training sentence stands behind this word: it was kept as it is."
        : "Choose a word of the translation to see the training sentences behind it."));
    return;
  }
  for (let token = phrase.targetSpan[0]; token < phrase.targetSpan[1]; token++)
    if (!phrase.targetGaps.some(([b, e]) => b <= token && token < e))
      nodeAt(place.line, place.sentence, "t", token)?.classList.add("chosen");
  const body = [make("p", { className: "phrase-pair" }, make("b", {}, ...side(phrase.source)),
    make("span", { className: "arrow" }, "→"), make("b", {}, ...side(phrase.target)))];
  if (!phrase.seen) body.push(make("p", { className: "dim" }, phrase.kind === "pass-through"
    ? "No training sentence has this word; it was kept as it is." : "Given: a tag, a placeholder or a term of the glossary."));
  else if (!phrase.origins) body.push(make("p", { className: "dim" }, `Seen in ${phrase.seen} places of the training text, which this server does not show.`));
  else {
    const shown = phrase.origins.map((origin) => example(origin, found.explanation.sources)).filter(Boolean);
    body.push(make("p", { className: "dim" }, phrase.seen === 1 ? "Seen in one sentence." :
      `Seen in ${phrase.seen} places` + (shown.length < phrase.seen ? `; ${shown.length} of them:` : ":")),
    make("ul", { className: "examples" }, ...shown));
  }
  const rows = Object.entries(phrase.features).map(([name, value]) =>
    make("tr", {}, make("td", {}, name), make("td", {}, String(value))));
  if (rows.length) body.push(make("details", {}, make("summary", {}, "Scores"), make("table", { className: "numbers" }, ...rows)));
  $("phrase-body").replaceChildren(...body);
}

/* ---- derivation ---- */

function showTree() {
  const parts = [];
  state.lines.forEach((line, lineNumber) => state.cache.get(line)?.explanation?.sentences.forEach((sentence, number) => {
    const place = { line: lineNumber, sentence: number };
    const children = new Set(sentence.derivation.flatMap((each) => each.children));
    const node = (phrase) => {
      const rule = sentence.derivation[phrase];
      const button = make("button", {
        type: "button", data: { node: `${lineNumber} ${number} ${phrase}` },
        onclick: () => choose(place, phrase), onmouseenter: () => { unlight(); lightPhrase(place, phrase); },
        onfocus: () => { unlight(); lightPhrase(place, phrase); }, onmouseleave: unlight, onblur: unlight,
      }, make("span", {}, ...side(rule.source)), make("span", { className: "arrow" }, "→"), make("span", {}, ...side(rule.target)),
      make("span", { className: rule.seen ? "seen" : "seen unknown" }, rule.seen ? `seen ${rule.seen}×` : rule.kind === "pass-through" ? "unknown" : "given"));
      return make("li", {}, button, ...(rule.children.length ? [make("ul", {}, ...rule.children.map(node))] : []));
    };
    const roots = sentence.derivation.map((_, each) => each).filter((each) => !children.has(each))
      .sort((a, b) => sentence.derivation[a].targetSpan[0] - sentence.derivation[b].targetSpan[0]);
    if (parts.length < MOST_TREES)
      parts.push(make("li", {}, make("h3", {}, slicer(line)(...sentence.source), confidence(sentence)), make("ul", {}, ...roots.map(node))));
  }));
  $("tree").replaceChildren(parts.length ? make("ul", { className: "tree" }, ...parts)
    : make("p", { className: "dim" }, "The phrases of the translation appear here, one inside the other."));
}

/* Only what was learned on held-out text; a model that was not taught it says nothing. */
const confidence = (sentence) => sentence.confidence === null || sentence.confidence === undefined ? ""
  : make("span", {}, ` · confidence ${Math.round(100 * sentence.confidence)} %`);

function showAlternatives() {
  const found = state.lines.length === 1 ? state.cache.get(state.lines[0])?.alternatives || [] : [];
  $("no-alternatives").hidden = found.length > 0;
  $("alternatives").replaceChildren(...found.map((text) => make("li", {}, make("span", {}, text),
    ...(canTeach() ? [make("button", { type: "button", className: "quiet", onclick: () => edit(text) }, "Use")] : []))));
}

/* ---- teaching ---- */

function canTeach() {
  const from = $("from").value, learns = state.settings.learns || [];
  return (state.settings.teachers === "everyone" || Boolean(state.key)) &&
    learns.some(([s, t]) => (from === "auto" || s === from) && t === $("to").value);
}

function edit(text) {
  $("correction").value = text ?? translation();
  editing(true);
  $("correction").focus();
  grow();
}

function editing(on) {
  $("correction").hidden = $("learn").hidden = $("cancel").hidden = !on;
  $("target").hidden = on;
  $("edit").hidden = on || !canTeach();
}

/* The correction is as tall as its text. */
function grow() {
  $("correction").style.height = "0";
  $("correction").style.height = $("correction").scrollHeight + "px";
}

async function learn() {
  const q = $("source").value.trim(), s = $("correction").value.trim();
  if (!q || !s) return;
  const source = $("from").value === "auto" ? state.cache.get(state.lines[0])?.detected || "auto" : $("from").value;
  const target = $("to").value;
  $("learn").disabled = true;
  try {
    const answer = await call("suggest", { q, s, source, target });
    if (answer.ids.length) $("lessons").prepend(lesson(s, answer.ids, source, target));
    editing(false);
    relearned();
  } catch (error) {
    if (error.status) refused(error);
  } finally {
    $("learn").disabled = false;
  }
}

/* What was translated before a lesson is old; the next answers are compared with it. */
function relearned() {
  state.before = new Map([...state.cache].map(([line, found]) => [line, found.text]));
  forgetAnswers();
  translateSoon(0);
}

function lesson(text, ids, source, target) {
  const row = make("li", {}, make("strong", {}, "Learned"), make("span", { className: "grow-1" }, text),
    make("button", {
      type: "button", className: "quiet", onclick: async () => {
        try {
          await call("forget", { ids, source, target });
          row.remove();
          relearned();
        } catch (error) { if (error.status) refused(error); }
      },
    }, "Forget it"));
  return row;
}

/* ---- files ---- */

async function translateFile(file) {
  const status = make("span", { className: "dim" }, "translating…");
  const row = make("li", {}, make("span", { className: "grow-1" }, file.name), status);
  $("files").prepend(row);
  const body = new FormData();
  for (const [name, value] of [["file", file], ["source", $("from").value], ["target", $("to").value]]) body.append(name, value);
  try {
    const answer = await call("translate_file", body);
    const address = new URL(answer.translatedFileUrl);
    // The server may be known by another name here, behind a proxy.
    status.replaceWith(make("a", { href: address.pathname.slice(1), download: "" }, "Download the translation"));
  } catch (error) {
    status.className = "failed";
    status.textContent = error.message;
  }
}

function droppable(pane) {
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

/* ---- glossary ---- */

function glossary() {
  const terms = {};
  for (const row of document.querySelectorAll(".term-row")) {
    const [source, target] = [...row.querySelectorAll("input")].map((input) => input.value.trim());
    if (source) terms[source] = target;
  }
  return terms;
}

/* How often each term was used in what is shown. */
function showHits() {
  const hits = new Map();
  for (const line of state.lines)
    for (const sentence of state.cache.get(line)?.explanation?.sentences || [])
      for (const [term] of sentence.terms) hits.set(term.toLowerCase(), (hits.get(term.toLowerCase()) || 0) + 1);
  for (const row of document.querySelectorAll(".term-row")) {
    const term = row.querySelector("input").value.trim().toLowerCase(), count = hits.get(term);
    row.querySelector(".hits").textContent = count ? `${count}×` : "";
  }
}

function glossaryChanged() {
  store.set("glossary", JSON.stringify(glossary()));
  forgetAnswers();
  translateSoon();
}

function addTerm(source = "", target = "") {
  const input = (value, label) => make("input", { value, ariaLabel: label, placeholder: label, oninput: glossaryChanged });
  const row = make("div", { className: "term-row" }, input(source, "term"), make("span", { className: "arrow" }, "→"),
    input(target, "its translation"), make("span", { className: "hits dim" }), make("button", {
      type: "button", className: "quiet", ariaLabel: "Remove this term", onclick: () => { row.remove(); glossaryChanged(); },
    }, "×"));
  $("terms").append(row);
  return row;
}

/* ---- setting up ---- */

function walk(event) {
  const words = [...document.querySelectorAll("#target .w")];
  const at = words.indexOf(document.activeElement);
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: words.length - 1 - at }[event.key];
  if (at < 0 || step === undefined) return;
  event.preventDefault();
  const next = words[Math.min(words.length - 1, Math.max(0, at + step))];
  words[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function open(node) {
  const place = placeOf(node), sentence = place && sentenceAt(place);
  if (sentence) choose(place, phraseOf(sentence, place.token));
}

function wire() {
  const on = (id, name, action) => $(id).addEventListener(name, action);
  on("source", "input", () => { count(); show0(); translateSoon(); });
  on("source", "mousemove", (event) => light(placeOf(wordUnder(event))));
  on("source", "mouseleave", unlight);
  on("target", "mouseover", (event) => light(placeOf(event.target)));
  on("target", "mouseleave", unlight);
  on("target", "focusin", (event) => light(placeOf(event.target)));
  on("target", "focusout", unlight);
  on("target", "click", (event) => open(event.target));
  on("target", "dblclick", () => canTeach() && edit());
  on("target", "keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey) open(event.target); else walk(event); });
  on("from", "change", pairChanged);
  on("to", "change", pairChanged);
  on("swap", "click", swap);
  on("edit", "click", () => edit());
  on("cancel", "click", () => editing(false));
  on("learn", "click", learn);
  on("correction", "input", grow);
  on("copy", "click", async () => {
    await navigator.clipboard?.writeText(translation());
    $("state").textContent = "copied";
  });
  on("clear", "click", () => { $("source").value = ""; translateSoon(0); $("source").focus(); });
  on("open-file", "click", () => $("file").click());
  on("file", "change", (event) => { for (const file of event.target.files) translateFile(file); event.target.value = ""; });
  on("add-term", "click", () => addTerm().querySelector("input").focus());
  on("phrase-close", "click", () => choose(null));
  on("key-button", "click", () => { $("key").value = state.key; $("key-dialog").showModal(); });
  on("key-dialog", "close", () => {
    if ($("key-dialog").returnValue !== "save") return;
    state.key = $("key").value.trim();
    store.set("key", state.key);
    notice("");
    translateSoon(0);
  });
  on("theme", "click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    store.set("theme", theme);
    $("theme").textContent = "Theme: " + theme;
    showTheme();
  });
  droppable($("source-pane"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { if (!$("correction").hidden) { editing(false); $("edit").focus(); } else choose(null); }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!$("correction").hidden) learn();
      else if (!$("edit").disabled && !$("edit").hidden) edit();
    }
  });
}

/* While typing, the copy must have the text's height at once; words come with the answer. */
function show0() {
  state.lines = $("source").value.split("\n");
  show();
}

async function begin() {
  try {
    [state.languages, state.settings] = await Promise.all([call("languages"), call("frontend/settings")]);
  } catch { return; }
  $("key-button").hidden = !state.settings.apiKeys;
  $("open-file").hidden = !state.settings.filesTranslation;
  $("file").accept = (state.settings.supportedFilesFormat || []).join(",");
  fillLanguages();
  show();
}

document.addEventListener("DOMContentLoaded", async () => {
  if (!$("source")) return; // the list of routes, which only wants its theme
  $("theme").textContent = "Theme: " + theme;
  let terms = {};
  try { terms = JSON.parse(store.get("glossary") || "{}"); } catch { /* not ours */ }
  for (const [source, target] of Object.entries(terms)) addTerm(source, target);
  wire();
  await begin();
  if ($("source").value) translateSoon(0);
});

/* Talking to the server, and what is said when it refuses or is gone. */
import { $, store } from "./dom.js";

const RETRY_MS = 2000;

export const server = {
  key: store.get("key") || "",
  languages: [],
  settings: {},
  dead: false,
  whenBack: () => {},
};

export class Refused extends Error {
  constructor(status, message, wait) { super(message); this.status = status; this.wait = wait; }
}

export async function call(path, body, signal) {
  const headers = server.key ? { Authorization: "Bearer " + server.key } : {};
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
  back();
  const data = await answer.json().catch(() => ({}));
  if (answer.ok) return data;
  throw new Refused(answer.status, data.error || "The server refused.", Number(answer.headers.get("Retry-After")) || 1);
}

export async function readSettings() {
  [server.languages, server.settings] = await Promise.all([call("languages"), call("frontend/settings")]);
}

export function notice(text) {
  $("notice").textContent = text || "";
  $("notice").hidden = !text;
}

/* For what the user asked for and did not get. A server that is gone was spoken of already. */
export function refused(error) {
  if (!error.status) return;
  notice(error.message + (error.status === 403 ? " Enter a key with the button above." : ""));
  if (error.status === 403) $("key-button").hidden = false;
}

/* The server went away: say so, keep the text, and look for it until it is back. */
async function lost() {
  if (server.dead) return;
  server.dead = true;
  notice("The server does not answer. Your text is safe here; trying to reach it again…");
  while (server.dead) {
    await new Promise((done) => setTimeout(done, RETRY_MS));
    try {
      if ((await fetch("health")).ok) back();
    } catch { /* still away */ }
  }
}

/* Whatever it answers first, the server is there again. */
function back() {
  if (!server.dead) return;
  server.dead = false;
  notice("");
  server.whenBack();
}

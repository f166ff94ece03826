/* Making and finding elements. Everything shown is made with DOM calls: no text becomes markup. */

export const $ = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(node.dataset, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined) node[name] = value;
  }
  node.append(...children);
  return node;
}

export const dim = (...children) => make("p", { className: "dim" }, ...children);

/* Offsets of the server count characters, JavaScript counts halves of some. */
export function slicer(text) {
  const characters = [...text];
  if (characters.length === text.length) return (begin, end) => text.slice(begin, end);
  return (begin, end) => characters.slice(begin, end).join("");
}

/* What the browser keeps for this page. */
export const store = {
  get(name) { try { return localStorage.getItem("dragoman." + name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem("dragoman." + name, value); } catch { /* private window */ } },
};

/* Light, dark or as the system says. The one script that is no module: it runs before anything is drawn. */
"use strict";

const theme = {
  names: ["system", "light", "dark"],
  get chosen() { try { return localStorage.getItem("dragoman.theme") || "system"; } catch { return "system"; } },
  set chosen(name) { try { localStorage.setItem("dragoman.theme", name); } catch { /* private window */ } },
  show() {
    if (this.chosen === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.chosen;
  },
  next() {
    this.chosen = this.names[(this.names.indexOf(this.chosen) + 1) % this.names.length];
    this.show();
  },
};
theme.show();

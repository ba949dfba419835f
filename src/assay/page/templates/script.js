"use strict";
document.documentElement.classList.add("live");

/* Light, dark, or what the system says. */
const theme = document.querySelector(".theme");
const themes = ["auto", "light", "dark"];
theme.addEventListener("click", () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  theme.textContent = "Colours: " + next;
});

/* Tables that sort by a click on a heading: numbers by data-value, the rest as text. */
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((heading, column) => {
    if (heading.classList.contains("unsorted")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const up = heading.getAttribute("aria-sort") === "descending" || (!heading.hasAttribute("aria-sort") && !heading.classList.contains("number"));
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => {
        const cell = row.cells[column];
        return cell.dataset.value === undefined ? cell.textContent.trim() : parseFloat(cell.dataset.value);
      };
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (typeof x === "string") return x.localeCompare(y);
        if (isNaN(x) || isNaN(y)) return isNaN(x) - isNaN(y);
        return x - y;
      });
      if (!up) rows.reverse();
      body.append(...rows);
    });
  });
}

/* Cards of classes, found by name. */
const wanted = document.querySelector("#class-filter");
if (wanted) {
  wanted.addEventListener("input", () => {
    for (const card of document.querySelectorAll("[data-class]")) {
      card.hidden = !card.dataset.class.toLowerCase().includes(wanted.value.toLowerCase());
    }
  });
}

/* Mistakes: search, truth, prediction, a page at a time. */
const list = document.querySelector("#mistake-list");
if (list) {
  const mistakes = [...list.children];
  const [search, truth, said, order] = ["search", "truth", "said", "order"].map((id) => document.querySelector("#mistake-" + id));
  const more = document.querySelector("#mistake-more");
  const count = document.querySelector("#mistake-count");
  const page = 10;
  let shown = page;
  const refresh = () => {
    const words = search.value.toLowerCase();
    const fitting = mistakes.filter((item) =>
      (!truth.value || item.dataset.truth.split("\n").includes(truth.value)) &&
      (!said.value || item.dataset.said.split("\n").includes(said.value)) &&
      (!words || item.querySelector("blockquote").textContent.toLowerCase().includes(words)));
    const key = { sure: (item) => -item.dataset.confidence, unsure: (item) => +item.dataset.confidence, place: (item) => +item.dataset.row }[order.value];
    fitting.sort((a, b) => key(a) - key(b));
    for (const item of mistakes) { item.hidden = true; item.classList.remove("paged"); }
    fitting.forEach((item, i) => { item.hidden = i >= shown; item.classList.toggle("paged", i >= shown); });
    list.append(...fitting);
    const visible = Math.min(shown, fitting.length);
    count.textContent = fitting.length ? `${visible} of ${fitting.length} shown` : "No mistake fits. Clear a filter to see others.";
    more.hidden = visible >= fitting.length;
  };
  for (const control of [search, truth, said, order]) {
    control.addEventListener("input", () => { shown = page; refresh(); });
  }
  more.addEventListener("click", () => { shown += page; refresh(); });
  for (const button of document.querySelectorAll(".matrix button, button[data-truth]")) {
    button.addEventListener("click", () => {
      truth.value = button.dataset.truth;
      said.value = button.dataset.said;
      search.value = "";
      shown = page;
      refresh();
      document.querySelector("#mistakes").scrollIntoView();
    });
  }
  refresh();
}

/* Commands to copy. */
for (const block of document.querySelectorAll(".copy")) {
  const button = block.querySelector(".button");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector("pre").textContent.trim());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl-C";
      getSelection().selectAllChildren(block.querySelector("pre"));
    }
  });
}

/* Which section is being read. */
const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
const reading = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    for (const [name, link] of links) link.classList.toggle("here", name === entry.target.id);
  }
}, { rootMargin: "-20% 0px -75% 0px" });
for (const name of links.keys()) reading.observe(document.getElementById(name));

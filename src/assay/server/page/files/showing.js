"use strict";

/* From answers to elements. Whatever a model or a person wrote becomes the text of an element, never its markup. */
const showing = {
  fewest: 8, // labels that are shown at once
  faintest: 0.06, // of the strongest word; what is fainter is left uncoloured

  element(name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  },

  quoted: (label) => `“${label}”`,

  percent(p) {
    const shown = 100 * p;
    if (p < 1 && shown > 99.95) return ">99.9%";
    if (p > 0 && shown < 0.05) return "<0.1%";
    return shown.toFixed(1) + "%";
  },

  signed: (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(4),

  joined(names) {
    if (names.length < 2) return names.join("");
    return names.slice(0, -1).join(", ") + " and " + names[names.length - 1];
  },

  /* All labels with what is known of each, the best first. */
  labels(found) {
    const given = new Set(Array.isArray(found.label) ? found.label : found.label === null ? [] : [found.label]);
    const decided = new Map((found.labels || []).map((item) => [item.label, item]));
    const numbers = found.probabilities || found.scores || {};
    const all = Object.keys(numbers).map((label) => ({
      label,
      given: given.has(label),
      probability: found.probabilities ? numbers[label] : null,
      score: found.probabilities ? null : numbers[label],
      threshold: decided.has(label) ? decided.get(label).threshold : null,
    }));
    return all.sort((a, b) => numbers[b.label] - numbers[a.label] || (a.label < b.label ? -1 : 1));
  },

  /* The answer in words: the labels, and how sure the model is. */
  sentences(found, labels) {
    const given = labels.filter((item) => item.given);
    const sure = (item) => (item.probability === null ? "" : ` (${this.percent(item.probability)})`);
    const nearest = labels[0] ? this.quoted(labels[0].label) + sure(labels[0]) : "nothing";
    if (Array.isArray(found.label)) {
      if (!given.length) return ["No label.", `${nearest} has the highest probability, and it is not enough.`];
      const names = given.map((item) => item.label).join(", ");
      const of = given.length === 1 ? "1 label" : `${given.length} labels`;
      return [names, `${of} of ${labels.length}: ${this.joined(given.map((item) => this.quoted(item.label) + sure(item)))}.`];
    }
    if (found.label === null) return ["Undecided.", `The model abstains; ${nearest} is nearest.`];
    const next = labels.find((item) => !item.given);
    const chosen = given[0];
    if (!chosen || chosen.probability === null) return [found.label, next ? `Next comes ${this.quoted(next.label)}.` : ""];
    const rest = next ? `; next is ${this.quoted(next.label)}, ${this.percent(next.probability)}` : "";
    return [found.label, `${this.percent(chosen.probability)} sure${rest}.`];
  },

  /* A bar for each label; where sets are given, a tick at the probability from which on a label is given. */
  gauge(list, labels, all) {
    const rows = [];
    for (const item of all ? labels : labels.slice(0, this.fewest)) {
      const head = this.element("dt", undefined, item.given ? "given" : "");
      head.append(this.element("span", item.label));
      head.append(this.element("b", item.probability === null ? this.signed(item.score) : this.percent(item.probability)));
      rows.push(head);
      const body = this.element("dd");
      if (item.probability !== null) {
        const bar = this.element("div", undefined, "bar");
        const share = this.element("i");
        share.style.setProperty("--share", `${100 * item.probability}%`);
        bar.append(share);
        if (item.threshold !== null && item.threshold <= 1) {
          const tick = this.element("u");
          tick.style.setProperty("--at", `${100 * item.threshold}%`);
          bar.title = `given from ${this.percent(item.threshold)} on`;
          bar.append(tick);
        }
        body.append(bar);
      }
      rows.push(body);
    }
    list.replaceChildren(...rows);
  },

  /* The text with its words marked by what they contribute. Places are counted in characters, not in UTF-16. */
  coloured(place, text, pieces) {
    const characters = Array.from(text);
    const most = Math.max(...pieces.map((piece) => Math.abs(piece.contribution)), 1e-300);
    const parts = [];
    let at = 0;
    for (const piece of pieces) {
      const strength = Math.abs(piece.contribution) / most;
      if (strength < this.faintest) continue;
      parts.push(characters.slice(at, piece.start).join(""));
      const mark = this.element("mark", piece.text, piece.contribution > 0 ? "for" : "against");
      mark.style.setProperty("--s", strength.toFixed(2));
      mark.title = this.signed(piece.contribution);
      parts.push(mark);
      at = piece.end;
    }
    parts.push(characters.slice(at).join(""));
    place.replaceChildren(...parts);
  },

  features(table, found) {
    const exact = found.features !== undefined;
    const heads = exact ? ["feature", "value", "weight", "contribution"] : ["word", "loss of probability"];
    table.tHead.rows[0].replaceChildren(...heads.map((head) => this.element("th", head)));
    const rows = [];
    const row = (kind, ...cells) => {
      const made = this.element("tr", undefined, kind);
      cells.forEach((cell, i) => made.append(typeof cell === "string" ? this.element(i ? "td" : "th", cell) : cell));
      rows.push(made);
    };
    if (!exact) {
      const words = [...found.pieces].sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution)).slice(0, 12);
      for (const word of words) row("", word.text, this.signed(word.contribution));
    } else {
      for (const item of found.features.slice(0, 12)) {
        const name = this.element("th", item.kind === "char" ? `“${item.feature}”` : item.feature);
        if (item.kind !== "word") name.append(this.element("span", item.kind === "char" ? "characters" : item.kind, "kind"));
        row("", name, item.value.toFixed(4), this.signed(item.weight), this.signed(item.contribution));
      }
      row("", "bias", "", "", this.signed(found.bias));
      row("sum", "score: all features and bias", "", "", this.signed(found.score));
    }
    table.tBodies[0].replaceChildren(...rows);
  },

  /* What the answer hangs on. */
  removal(found) {
    if (!found.text.trim()) return "There is no word in it: this is what the model says of a text of which it knows nothing.";
    const removal = found.smallest_removal;
    const sets = Array.isArray(found.label);
    if (removal === null) return `No removal of words was found that changes ${sets ? `whether ${this.quoted(found.of)} is given` : "the decision"}.`;
    const without = `Without ${this.joined(removal.words.map(this.quoted))} `;
    if (sets) return `${without}it would ${found.label.includes(found.of) ? "not " : ""}be given ${this.quoted(found.of)}.`;
    return without + (removal.label === null ? "it would be undecided." : `it would be ${this.quoted(removal.label)}.`);
  },
};

"use strict";

const at = (id) => document.getElementById(id);
const [form, text, model, token] = ["question", "text", "model", "token"].map(at);
let models = [];
let labels = [];
let asked = null; // what the answer on the page is of
let waiting = null; // what stops the request that runs

function refuse(error) {
  if (error.name === "AbortError") return;
  const said = error.said || { what: "The page failed.", where: "", way_out: String(error.message || error) };
  at("refusal-what").textContent = said.what;
  at("refusal-where").textContent = said.where ? `(${said.where})` : "";
  at("refusal-way-out").textContent = said.way_out;
  at("refusal").hidden = false;
  if (error.status === 401) {
    at("token-field").hidden = false;
    token.focus();
  }
}

function busy(yes) {
  for (const id of ["answer", "why"]) at(id).classList.toggle("busy", yes);
  form.setAttribute("aria-busy", String(yes));
}

/* The models, once; again after a token was given. */
async function meet() {
  if (models.length) return;
  models = (await asking.ask("models")).models;
  model.replaceChildren(...models.map((item) => new Option(item.name, item.name)));
  at("model-field").hidden = models.length < 2;
  at("where").textContent = models.length === 1 ? models[0].name : `${models.length} models`;
}

const chosen = () => models.find((item) => item.name === model.value);

async function ask(event) {
  if (event) event.preventDefault();
  if (waiting) waiting.abort();
  const mine = new AbortController();
  waiting = mine;
  asking.token = token.value.trim();
  at("refusal").hidden = true;
  busy(true);
  try {
    await meet();
    const question = { text: text.value, model: model.value };
    const found = await asking.ask("explain", question, mine.signal);
    const fresh = chosen().novelty ? await asking.ask("predict", { texts: [text.value], model: model.value, novelty: true, top: 1 }, mine.signal) : null;
    if (waiting !== mine) return;
    asked = question;
    labels = showing.labels(found.explanation);
    answer(found, fresh);
    const why = isLogarithms(found.explanation) ? (await explained(labels[0].label, labels[1].label, mine.signal)) : found.explanation;
    reasons(why);
  } catch (error) {
    refuse(error);
  } finally {
    if (waiting === mine) busy(false);
  }
}

/* Log probabilities are all below zero: only their differences between labels say anything. */
const isLogarithms = (found) =>
  !Array.isArray(found.label) && labels.length > 2 && found.features !== undefined && found.features.length > 0 &&
  found.bias < 0 && found.features.every((item) => item.contribution < 0);

async function explained(label, against, signal) {
  const more = against ? { against } : {};
  return (await asking.ask("explain", { ...asked, label, ...more }, signal)).explanation;
}

function answer(found, fresh) {
  const explanation = found.explanation;
  const [said, sure] = showing.sentences(explanation, labels);
  at("answer-of").textContent = `${found.model.name} says`;
  at("said").textContent = said;
  at("said").classList.toggle("none", !labels.some((item) => item.given));
  at("sure").textContent = sure;
  const novelty = fresh && fresh.answers[0].novelty;
  at("novelty").hidden = novelty === null || novelty === undefined;
  if (!at("novelty").hidden) at("novelty").textContent = `Novelty ${novelty.toFixed(2)}: 0 is like the texts that it learned from, 1 like none of them.`;
  at("gauge-head").textContent = explanation.probabilities ? "Probability of each label" : "Score of each label";
  gauge(false);
  at("answer").hidden = false;
  at("program").hidden = false;
  const body = JSON.stringify(models.length > 1 ? { texts: [asked.text], model: asked.model } : { texts: [asked.text] });
  const bearer = asking.token ? " -H \"Authorization: Bearer $TOKEN\"" : "";
  const url = new URL("predict", location.href).href;
  at("command").textContent = `curl ${url}${bearer} -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
  const digest = found.model.sha256.slice(0, 12);
  at("where").textContent = `${found.model.name} · ${digest}`;
}

function gauge(all) {
  showing.gauge(at("gauge"), labels, all);
  const button = at("all-labels");
  button.hidden = labels.length <= showing.fewest;
  button.textContent = all ? "Show fewer" : `Show all ${labels.length}`;
  button.setAttribute("aria-expanded", String(all));
}

function reasons(found) {
  const sets = Array.isArray(found.label);
  const exact = found.features !== undefined;
  const options = labels.map((item) => item.label);
  at("explained").replaceChildren(...options.map((label) => new Option(label, label, false, label === found.of)));
  const others = options.filter((label) => label !== found.of);
  at("against").replaceChildren(new Option("(whatever else)", ""), ...others.map((label) => new Option(label, label, false, label === found.against)));
  at("against-field").hidden = sets || options.length < 3;
  at("why-lead").textContent = exact
    ? "Exact: the contributions of all features and the bias make up the score. Each is shared among the words that it was read from."
    : found.method;
  showing.coloured(at("coloured"), found.text, found.pieces);
  const unplaced = found.unplaced || 0;
  at("unplaced").textContent = Math.abs(unplaced) > 1e-9 ? `${showing.signed(unplaced)} is of the text as a whole, not of a word.` : "";
  at("removal").textContent = showing.removal(found);
  showing.features(at("features"), found);
  at("why").hidden = false;
}

async function again() {
  if (waiting) waiting.abort();
  const mine = new AbortController();
  waiting = mine;
  at("refusal").hidden = true;
  busy(true);
  try {
    const label = at("explained").value;
    const against = at("against").value;
    reasons(await explained(label, against === label ? "" : against, mine.signal));
  } catch (error) {
    refuse(error);
  } finally {
    if (waiting === mine) busy(false);
  }
}

form.addEventListener("submit", ask);
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask(event);
});
model.addEventListener("change", () => asked && ask());
at("explained").addEventListener("change", again);
at("against").addEventListener("change", again);
at("all-labels").addEventListener("click", () => gauge(at("all-labels").getAttribute("aria-expanded") === "false"));
meet().catch((error) => (error.status === 401 ? (at("token-field").hidden = false) : refuse(error)));

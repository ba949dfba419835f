"use strict";

/* Shows the OpenAPI document. Everything in it becomes the text of an element. */
function element(name, text, ...inner) {
  const made = document.createElement(name);
  if (text !== null) made.textContent = text;
  made.append(...inner);
  return made;
}

function tagged(name, kind, text, ...inner) {
  const made = element(name, text, ...inner);
  made.className = kind;
  return made;
}

const nameOf = (schema) => schema.$ref.split("/").pop();

/* A type in a line; those that have a name link to where they are described. */
function typed(schema) {
  if (schema.$ref) {
    const link = element("a", nameOf(schema));
    link.href = "#" + nameOf(schema);
    return [link];
  }
  if (schema.anyOf) return schema.anyOf.flatMap((one, i) => (i ? [" or ", ...typed(one)] : typed(one)));
  if (schema.type === "array" && schema.items) return ["list of ", ...typed(schema.items)];
  if (schema.type === "object" && schema.additionalProperties && schema.additionalProperties !== true) return ["object of ", ...typed(schema.additionalProperties)];
  if (schema.enum) return [schema.enum.map((value) => JSON.stringify(value)).join(" or ")];
  return [schema.type || "anything"];
}

function table(heads, rows) {
  const body = element("tbody", null, ...rows.map((row) => element("tr", null, ...row)));
  return tagged("div", "wide", null, element("table", null, element("thead", null, element("tr", null, ...heads.map((head) => element("th", head)))), body));
}

function example(url, method, media, value) {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const command = media === "application/json" || typeof value === "string"
    ? `curl ${url} -H 'Content-Type: ${media}' ${typeof value === "string" ? "--data-binary $" : "-d "}'${body.replaceAll("\n", "\\n")}'`
    : `curl ${url}`;
  const made = element("pre", command);
  made.tabIndex = 0;
  return made;
}

function call(path, method, said) {
  const head = element("summary", null, tagged("span", method === "get" ? "tag quiet" : "tag", method.toUpperCase()), element("code", path), element("span", said.summary));
  const inside = element("div", null);
  if (said.parameters) {
    const rows = said.parameters.map((one) => [element("th", null, element("code", one.name)), element("td", null, ...typed(one.schema)), element("td", one.in), element("td", one.description)]);
    inside.append(element("h3", "Parameters"), table(["name", "type", "in", ""], rows));
  }
  const url = new URL(path.slice(1), location.href).href.replaceAll("%7B", "{").replaceAll("%7D", "}");
  if (said.requestBody) {
    const kinds = Object.entries(said.requestBody.content);
    const rows = kinds.map(([media, one]) => [element("th", null, element("code", media)), element("td", null, ...typed(one.schema))]);
    inside.append(element("h3", "Body"), table(["Content-Type", "type"], rows));
    for (const [media, one] of kinds) if (one.example !== undefined) inside.append(example(url, method, media, one.example));
  } else {
    inside.append(element("pre", `curl ${url}`));
  }
  const rows = Object.entries(said.responses).flatMap(([status, one]) =>
    Object.entries(one.content || { "": { schema: {} } }).map(([media, kind]) =>
      [element("th", status === "default" ? "else" : status), element("td", null, element("code", media)), element("td", null, ...typed(kind.schema)), element("td", one.description)]));
  inside.append(element("h3", "Answers"), table(["status", "Content-Type", "type", ""], rows));
  const made = tagged("details", "call", null, head, inside);
  made.id = `${method} ${path}`;
  return made;
}

function type(name, schema) {
  const required = new Set(schema.required || []);
  const rows = Object.entries(schema.properties || {}).map(([field, one]) => {
    const otherwise = one.default === undefined || required.has(field) ? "" : JSON.stringify(one.default);
    return [element("th", null, element("code", field)), element("td", null, ...typed(one)), element("td", required.has(field) ? "always" : ""), element("td", otherwise)];
  });
  const inside = element("div", null, table(["field", "type", "there", "default"], rows));
  const made = tagged("details", "call", null, element("summary", null, element("code", name), element("span", (schema.description || "").split("\n")[0])), inside);
  made.id = name;
  return made;
}

/* A link to a type opens it. */
function open() {
  const found = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (found && found.tagName === "DETAILS") {
    found.open = true;
    found.scrollIntoView();
  }
}

async function show() {
  const said = await (await fetch("openapi.json", { cache: "no-store" })).json();
  document.getElementById("about").textContent = `${said.info.description} Version ${said.info.version}.`;
  for (const [path, methods] of Object.entries(said.paths)) {
    for (const [method, one] of Object.entries(methods)) document.getElementById("calls").append(call(path, method, one));
  }
  for (const [name, schema] of Object.entries(said.components.schemas)) document.getElementById("types").append(type(name, schema));
  open();
}

window.addEventListener("hashchange", open);
show().catch((error) => { document.getElementById("about").textContent = `The document was not loaded: ${error.message}`; });

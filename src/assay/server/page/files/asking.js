"use strict";

/* What the server answers, as JSON; what it refuses is thrown as it says it: what, where, way_out. */
class Refusal extends Error {
  constructor(status, said) {
    super(said.what);
    this.status = status;
    this.said = said;
  }
}

const asking = {
  token: "",

  async ask(path, body, signal) {
    const headers = {};
    if (this.token) headers.Authorization = "Bearer " + this.token;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try {
      const sent = body === undefined ? undefined : JSON.stringify(body);
      answer = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: sent, signal, cache: "no-store" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      const said = { what: "The server did not answer.", where: "", way_out: "See whether it still runs, and ask again." };
      throw new Refusal(0, said);
    }
    let found = null;
    try {
      found = await answer.json();
    } catch (error) {
      if (error.name === "AbortError") throw error;
    }
    if (answer.ok && found !== null) return found;
    const said = found && found.error ? found.error : { what: `The server answered ${answer.status}.`, where: "", way_out: "Look into its log." };
    throw new Refusal(answer.status, typeof said === "string" ? { what: said, where: "", way_out: "" } : said);
  },
};

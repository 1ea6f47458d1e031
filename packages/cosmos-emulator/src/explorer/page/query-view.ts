/** A query and its results, page by page, with what each page cost. */
import { type ContainerInfo, partitionHeaders } from "./container.ts";
import { button, element, type Field, labelled, type PageElement } from "./dom.ts";
import { call, RequestError } from "./endpoint.ts";
import { isObject, type Json, parseExact, pretty } from "./exact-json.ts";
import { describeMistakes, mistakesIn } from "./query-error.ts";
import { counted, News, units } from "./view.ts";

/** The sub-status of a query for which a client would have to merge the answers of several partitions. */
const NEEDS_PLAN = "1004";

/** A query as it was when it was started: its next pages must not follow what is typed meanwhile. */
interface RunningQuery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  rows: number;
  pages: number;
  charge: number;
  continuation: string | undefined;
}

export class QueryView {
  readonly root: PageElement;
  readonly #container: ContainerInfo;
  readonly #news = new News();
  readonly #query: Field = element("textarea", { rows: "6", spellcheck: "false", class: "code" });
  readonly #parameters: Field = element("textarea", { rows: "6", spellcheck: "false", class: "code" });
  readonly #partitionKey: Field = element("input", { type: "text", placeholder: "all", spellcheck: "false" });
  readonly #pageSize: Field = element("input", { type: "number", min: "1", max: "1000", value: "50" });
  readonly #more: Field;
  readonly #results: PageElement = element("div", { class: "results" });
  readonly #mistakes: PageElement = element("div", {});
  #running: RunningQuery | undefined;

  constructor(container: ContainerInfo) {
    this.#container = container;
    this.#query.value = "SELECT * FROM c";
    const run = button("Run", () => this.#run(), { class: "main", title: "Ctrl+Enter" });
    this.#more = button("Next page", () => this.#news.during(() => this.#nextPage()));
    this.#more.disabled = true;
    for (const field of [this.#query, this.#parameters]) {
      field.addEventListener("keydown", ({ key, ctrlKey, metaKey }) =>
        key === "Enter" && (ctrlKey || metaKey) ? this.#run() : undefined,
      );
    }
    this.root = element(
      "div",
      { class: "query" },
      element(
        "div",
        { class: "beside" },
        labelled("Query", this.#query),
        labelled("Parameters", this.#parameters, 'JSON, such as {"@state": "ready"}'),
      ),
      element(
        "div",
        { class: "actions" },
        labelled(`Partition key ${container.partitionKeyPaths.join(", ")}`, this.#partitionKey),
        labelled("Page size", this.#pageSize),
        run,
        this.#more,
        this.#news.root,
      ),
      this.#mistakes,
      this.#results,
    );
  }

  #run(): Promise<void> {
    this.#results.replaceChildren();
    this.#mistakes.replaceChildren();
    this.#more.disabled = true;
    return this.#news.during(async () => {
      this.#running = this.#typed();
      await this.#nextPage();
    });
  }

  async #nextPage(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const { body, headers, continuation, pages } = running;
    const next = continuation === undefined ? {} : { "x-ms-continuation": continuation };
    const reply = await call(`${this.#container.path}/docs`, {
      method: "POST",
      headers: { ...headers, ...next },
      body,
    }).catch((error: unknown) => this.#refused(error));
    // Meanwhile another query was started, or the button pressed twice.
    if (this.#running !== running || running.pages !== pages) return;
    const rows = reply.body["Documents"];
    this.#showPage(running, Array.isArray(rows) ? rows : [], reply);
  }

  #showPage(
    running: RunningQuery,
    rows: readonly Json[],
    { charge, queryMetrics, continuation }: Awaited<ReturnType<typeof call>>,
  ): void {
    running.rows += rows.length;
    running.pages += 1;
    running.charge += charge;
    running.continuation = continuation;
    this.#more.disabled = continuation === undefined;
    const time = /totalExecutionTimeInMs=([\d.]+)/.exec(queryMetrics ?? "")?.[1];
    const took = time === undefined ? "" : `, ${time} ms`;
    const label = `Page ${running.pages}: ${counted(rows.length, "row")}, ${units(charge)}${took}`;
    this.#results.append(element("h2", {}, label), element("pre", { tabindex: "0" }, pretty(rows)));
    const end = continuation === undefined ? "That is all." : "There is more.";
    this.#news.tell(`${counted(running.rows, "row")}, ${units(running.charge)} in all. ${end}`);
  }

  /** Shows where the query is wrong, and throws the error to show. */
  #refused(error: unknown): never {
    if (!(error instanceof RequestError)) throw error;
    if (error.substatus === NEEDS_PLAN) {
      throw new Error("This query cannot be answered over several partitions at once: give a partition key.");
    }
    const mistakes = mistakesIn(error.message);
    const [first] = mistakes;
    if (first === undefined) throw error;
    this.#mistakes.replaceChildren(describeMistakes(this.#query.value, mistakes));
    this.#query.focus();
    this.#query.setSelectionRange(first.start, first.end);
    throw new Error(`The endpoint does not understand the query (${units(error.charge)}).`);
  }

  #typed(): RunningQuery {
    const body = JSON.stringify({
      query: this.#query.value,
      parameters: parametersIn(this.#parameters.value),
    });
    const headers = {
      ...partitionHeaders(this.#container, this.#partitionKey.value),
      "content-type": "application/query+json",
      "x-ms-documentdb-isquery": "true",
      "x-ms-documentdb-populatequerymetrics": "true",
      "x-ms-max-item-count": this.#pageSize.value,
    };
    return { body, headers, rows: 0, pages: 0, charge: 0, continuation: undefined };
  }
}

/** Reads parameters: `{"@name": value}`, which is easier to type, or the list that the service takes. */
function parametersIn(text: string): Json {
  if (text.trim() === "") return [];
  const typed = parseExact(text);
  if (Array.isArray(typed)) return typed;
  if (isObject(typed)) return Object.entries(typed).map(([name, value]) => ({ name, value }));
  throw new Error('Parameters are a JSON object, such as {"@state": "ready"}.');
}

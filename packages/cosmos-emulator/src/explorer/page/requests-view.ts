/** The requests to the endpoint, newest first, and their charges. */
import { type Child, element, type Field, labelled, type PageElement } from "./dom.ts";
import { callTool, listOf } from "./endpoint.ts";
import { type JsonObject, textOf } from "./exact-json.ts";
import { repeat } from "./repeat.ts";
import { type Column, counted, heading, News, table, units, type View } from "./view.ts";

const REFRESH_MS = 2000;

/** Number of requests that are shown: a table of the whole log would be slow. */
const MAX_SHOWN = 500;

const COLUMNS: readonly Column[] = [
  ...["Time", "Method", "Path", "Operation", "Partition key", "Status"].map((name) => ({ name })),
  { name: "RU", isNumber: true },
  { name: "ms", isNumber: true },
];

export class RequestsView implements View {
  readonly title = "Requests";
  readonly root: PageElement;
  readonly stop: () => void;
  readonly #news = new News();
  readonly #isRefreshing: Field = element("input", { type: "checkbox", checked: true });
  readonly #ownToo: Field = element("input", { type: "checkbox" });
  readonly #filter: Field = element("input", { type: "search", placeholder: "path, operation or status" });
  readonly #table: PageElement = element("div", {});
  #entries: readonly JsonObject[] = [];

  constructor() {
    for (const field of [this.#ownToo, this.#filter]) field.addEventListener("input", () => this.#show());
    this.root = element(
      "div",
      {},
      heading("Requests", this.#news.root),
      element(
        "div",
        { class: "actions" },
        labelled("Filter", this.#filter),
        labelled("Refresh every 2 s", this.#isRefreshing),
        labelled("Those of this page too", this.#ownToo),
      ),
      this.#table,
    );
    this.stop = repeat(REFRESH_MS, () => this.#load());
  }

  #load(): Promise<void> {
    if (!this.#isRefreshing.checked) return Promise.resolve();
    return this.#news.during(async () => {
      const last = this.#entries.at(-1)?.["sequence"] ?? 0;
      const fresh = listOf(await callTool(`requests?after=${textOf(last)}`), "requests");
      // Without new requests the table is not rendered again, because the user may be reading it.
      if (fresh.length > 0 || this.#entries.length === 0) {
        this.#entries = [...this.#entries, ...fresh].slice(-MAX_SHOWN);
        this.#show();
      }
    });
  }

  #show(): void {
    const shown = this.#entries.filter((entry) => this.#matches(entry)).reverse();
    const charge = shown.reduce((sum, entry) => sum + Number(entry["charge"]), 0);
    this.#news.tell(`${counted(shown.length, "request")}, ${units(charge)} in all.`);
    this.#table.replaceChildren(table("Requests, newest first", COLUMNS, shown.map(row)));
  }

  #matches(entry: JsonObject): boolean {
    if (entry["fromExplorer"] === true && !this.#ownToo.checked) return false;
    const text = [entry["path"], entry["operation"], entry["status"], entry["partitionKey"]]
      .map(textOf)
      .join(" ");
    return text.toLowerCase().includes(this.#filter.value.trim().toLowerCase());
  }
}

function row(entry: JsonObject): PageElement {
  const cell = (kind: string | undefined, ...children: readonly Child[]): PageElement =>
    element("td", { class: kind }, ...children);
  const isRefused = Number(entry["status"]) >= 400 || entry["status"] === 0;
  return element(
    "tr",
    {},
    cell("time", timeOf(entry)),
    cell(undefined, textOf(entry["method"])),
    cell("wide", readable(textOf(entry["path"])), ...failureOf(entry)),
    cell(undefined, textOf(entry["operation"])),
    cell(undefined, textOf(entry["partitionKey"])),
    cell(isRefused ? "bad" : undefined, statusOf(entry)),
    cell("number", Number(entry["charge"]).toFixed(2)),
    cell("number", Number(entry["durationMs"]).toFixed(1)),
  );
}

/** Shows the error of a failure of the endpoint itself, to be reported. */
function failureOf({ failure }: JsonObject): readonly PageElement[] {
  if (failure === undefined) return [];
  const details = element("details", {}, element("summary", {}, "The endpoint failed"));
  details.append(element("pre", {}, textOf(failure)));
  return [details];
}

function statusOf({ status, substatus }: JsonObject): string {
  if (status === 0) return "no answer";
  return substatus === undefined ? textOf(status) : `${textOf(status)}/${textOf(substatus)}`;
}

/** Writes the local time of day, with milliseconds. */
function timeOf(entry: JsonObject): string {
  const at = new Date(Number(entry["atMs"]));
  return `${at.toLocaleTimeString("en-GB")}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Makes a recording of exchanges as they happen.
 *
 * 1. Nothing is kept because it is harmless: headers are kept by name, everything else of them is dropped. `authorization`
 *    never reaches this place.
 * 2. A value that the service made up gets one placeholder, in answers and in the requests that name it.
 * 3. Names of the account and the database are replaced in every text, keys and tokens too.
 */
import type { Exchange } from "../client/raw-client.ts";
import type { Fields, Reply } from "../client/reply.ts";
import { DATABASE, FORMAT_VERSION, type RecordedExchange, type Recording } from "./recording.ts";

export interface RecorderOptions {
  readonly recordedFrom: string;
  readonly database: string;
  /** Keys, and names of the account. */
  readonly secrets: readonly string[];
}

/** Fields of bodies that the service makes up, by the kind of their placeholder. Times and numbers become 0. */
const MADE_UP: Readonly<Record<string, string>> = {
  _etag: "etag",
  eTag: "etag",
  _rid: "rid",
  _self: "self",
};
const TIMES: readonly string[] = ["_ts", "_lsn", "lsn"];
/** Headers of the account, and texts with activity ids. */
const DROPPED: readonly string[] = [
  "message",
  "additionalErrorInfo",
  "databaseAccountEndpoint",
  "name",
  "queryEngineConfiguration",
];

const HEADERS_MADE_UP: Readonly<Record<string, string>> = {
  etag: "etag",
  "x-ms-session-token": "session",
  "x-ms-continuation": "continuation",
  "x-ms-content-path": "rid",
};

/** Headers whose values say nothing of the account. */
const HEADERS_KEPT: readonly string[] = [
  "content-type",
  "x-ms-request-charge",
  "x-ms-item-count",
  "x-ms-substatus",
  "x-ms-schemaversion",
  "x-ms-retry-after-ms",
  "x-ms-documentdb-partitionkeyrangeid",
  "x-ms-cosmos-index-utilization",
];

export class Recorder {
  readonly #options: RecorderOptions;
  /** Placeholders by what they stand for. */
  readonly #placeholders = new Map<string, string>();
  readonly #exchanges: RecordedExchange[] = [];
  #container: Fields = {};
  #physicalPartitions = 1;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  take(step: string, { request, body, reply }: Exchange): void {
    const { method, link, path, headers = {} } = request;
    if (method === "GET" && reply.status === 200) this.#note(link, reply);
    const sent = {
      method,
      link: this.#replaced(link),
      ...(path !== undefined && { path: this.#replaced(path) }),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), this.#replaced(value)]),
      ),
      ...(body !== undefined && { body: this.#replaced(body) }),
    };
    const exchange = { step, request: sent, answer: this.#answer(reply) };
    // The same question with the same answer says nothing new.
    if (JSON.stringify(exchange) !== JSON.stringify(this.#exchanges.at(-1))) this.#exchanges.push(exchange);
  }

  get recording(): Recording {
    const { recordedFrom } = this.#options;
    return {
      formatVersion: FORMAT_VERSION,
      recordedFrom,
      container: this.#container,
      physicalPartitions: this.#physicalPartitions,
      exchanges: this.#exchanges,
    };
  }

  #note(link: string, { fields }: Reply): void {
    if (link === `dbs/${this.#options.database}/colls/${String(fields["id"])}`)
      this.#container = definitionIn(fields);
    const ranges = fields["PartitionKeyRanges"];
    if (Array.isArray(ranges)) this.#physicalPartitions = ranges.length;
  }

  #answer(reply: Reply): RecordedExchange["answer"] {
    const names = reply.headerNames.toSorted();
    const headers = names.map((name): [string, string] => [
      name,
      this.#header(name, reply.header(name) ?? ""),
    ]);
    return {
      status: reply.status,
      substatus: reply.substatus,
      headers: Object.fromEntries(headers),
      ...(reply.text !== "" && { body: this.#body(reply.text) }),
    };
  }

  #header(name: string, value: string): string {
    const kind = HEADERS_MADE_UP[name];
    if (kind !== undefined) return this.#placeholder(kind, value);
    return HEADERS_KEPT.includes(name) ? this.#replaced(value) : "";
  }

  #body(text: string): unknown {
    try {
      return this.#value(JSON.parse(text));
    } catch {
      return "";
    }
  }

  #value(value: unknown, name?: string): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#value(each));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#value(each, key)]));
    if (name !== undefined && DROPPED.includes(name)) return typeof value === "string" ? "" : value;
    if (name !== undefined && TIMES.includes(name)) return 0;
    if (typeof value !== "string") return value;
    const kind = name === undefined ? undefined : MADE_UP[name];
    return kind === undefined ? this.#replaced(value) : this.#placeholder(kind, value);
  }

  /** Quotes stay, so that an etag is found within JSON too. */
  #placeholder(kind: string, value: string): string {
    const [, quote = "", inner = ""] = /^("?)(.*?)\1$/s.exec(value) ?? [];
    if (inner === "") return value;
    const known = this.#placeholders.get(inner) ?? `«${kind}-${this.#placeholders.size + 1}»`;
    this.#placeholders.set(inner, known);
    return `${quote}${known}${quote}`;
  }

  /** Replaces known values, the longest first; of short values only the whole text. */
  #replaced(text: string): string {
    const whole = this.#placeholders.get(text);
    if (whole !== undefined) return whole;
    const { database, secrets } = this.#options;
    const names = [...secrets.filter((each) => each !== "").map((each): [string, string] => [each, "…"])];
    const values = [...this.#placeholders].filter(([value]) => value.length >= LONG_ENOUGH);
    return [[`dbs/${database}`, `dbs/${DATABASE}`] as const, ...values, ...names]
      .toSorted(([a], [b]) => b.length - a.length)
      .reduce((result, [value, placeholder]) => result.replaceAll(value, placeholder), text);
  }
}

/** Shorter values may stand in a text by chance. */
const LONG_ENOUGH = 12;

/** Reads the definition of a container. */
function definitionIn({ id, partitionKey, defaultTtl, indexingPolicy }: Fields): Fields {
  return { id, partitionKey, ...(defaultTtl !== undefined && { defaultTtl }), indexingPolicy };
}

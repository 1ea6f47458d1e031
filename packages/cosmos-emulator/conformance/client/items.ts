/** The requests about the items of one container. Each method sends one request and judges nothing. */
import type { RawClient } from "./raw-client.ts";
import { type Fields, fieldsOf, type Reply } from "./reply.ts";

/** The components of a partition key as JSON; `{}` stands for an absent one. */
export type Key = readonly (string | number | boolean | null | Readonly<Record<string, never>>)[];
export type Headers = Readonly<Record<string, string>>;

export interface QueryOptions {
  readonly key?: Key;
  readonly parameters?: readonly Fields[];
  readonly headers?: Headers;
}

export const ATOMIC_BATCH: Headers = {
  "x-ms-cosmos-is-batch-request": "True",
  "x-ms-cosmos-batch-atomic": "True",
};
const CROSS_PARTITION: Headers = { "x-ms-documentdb-query-enablecrosspartition": "True" };
const QUERY: Headers = { "content-type": "application/query+json", "x-ms-documentdb-isquery": "True" };

export class Items {
  readonly raw: RawClient;
  /** Link of the container: "dbs/a/colls/b". */
  readonly link: string;

  constructor(raw: RawClient, link: string) {
    this.raw = raw;
    this.link = link;
  }

  get name(): string {
    return this.link.split("/").at(-1) ?? "";
  }

  create(key: Key | undefined, body: unknown, headers: Headers = {}): Promise<Reply> {
    return this.#send("POST", "docs", key, body, headers);
  }

  upsert(key: Key, body: unknown, headers: Headers = {}): Promise<Reply> {
    return this.create(key, body, { "x-ms-documentdb-is-upsert": "True", ...headers });
  }

  read(key: Key | undefined, id: string, headers: Headers = {}): Promise<Reply> {
    return this.#send("GET", `docs/${id}`, key, undefined, headers);
  }

  replace(key: Key, body: Fields, headers: Headers = {}): Promise<Reply> {
    return this.#send("PUT", `docs/${String(body["id"])}`, key, body, headers);
  }

  remove(key: Key, id: string, headers: Headers = {}): Promise<Reply> {
    return this.#send("DELETE", `docs/${id}`, key, undefined, headers);
  }

  /** `body`: a list of operations, or an object that holds them and a condition. */
  patch(key: Key, id: string, body: unknown, headers: Headers = {}): Promise<Reply> {
    return this.#send("PATCH", `docs/${id}`, key, body, headers);
  }

  batch(key: Key, operations: readonly Fields[], headers: Headers = ATOMIC_BATCH): Promise<Reply> {
    return this.#send("POST", "docs", key, operations, headers);
  }

  /** Queries one partition with `key`; otherwise all. */
  query(query: string, { key, parameters, headers = {} }: QueryOptions = {}): Promise<Reply> {
    const body = { query, ...(parameters !== undefined && { parameters }) };
    const scope = key === undefined ? CROSS_PARTITION : {};
    return this.#send("POST", "docs", key, body, { ...QUERY, ...scope, ...headers });
  }

  /** Every page of a query. */
  async pages(query: string, options: QueryOptions = {}): Promise<readonly Reply[]> {
    const pages: Reply[] = [];
    let continuation: string | undefined;
    do {
      const more: Headers = continuation === undefined ? {} : { "x-ms-continuation": continuation };
      const page = await this.query(query, { ...options, headers: { ...options.headers, ...more } });
      if (page.status !== 200)
        throw new Error(`${page.request}: page ${pages.length} is ${page.status}: ${page.text}`);
      pages.push(page);
      continuation = page.header("x-ms-continuation");
    } while (continuation !== undefined && continuation !== "");
    return pages;
  }

  /** The partition key ranges of the container. */
  async ranges(): Promise<readonly Fields[]> {
    const reply = await this.raw.send({ method: "GET", link: `${this.link}/pkranges` });
    return (reply.fields["PartitionKeyRanges"] as readonly unknown[]).map(fieldsOf);
  }

  async rangeIds(): Promise<readonly string[]> {
    return (await this.ranges()).map((range) => String(range["id"]));
  }

  /** A change feed page of one range or partition key, from after `position`. */
  changes(
    scope: { key: Key } | { rangeId: string },
    position: string | undefined,
    headers: Headers = {},
  ): Promise<Reply> {
    const key = "key" in scope ? scope.key : undefined;
    return this.#send("GET", "docs", key, undefined, {
      "a-im": "Incremental Feed",
      ...("rangeId" in scope && { "x-ms-documentdb-partitionkeyrangeid": scope.rangeId }),
      ...(position !== undefined && { "if-none-match": position }),
      ...headers,
    });
  }

  #send(method: string, path: string, key: Key | undefined, body: unknown, headers: Headers): Promise<Reply> {
    return this.raw.send({
      method,
      link: `${this.link}/${path}`,
      body,
      headers: { ...(key !== undefined && { "x-ms-documentdb-partitionkey": keyHeader(key) }), ...headers },
    });
  }
}

/** Writes the header as the JavaScript SDK does: everything beyond ASCII escaped. */
export function keyHeader(key: Key): string {
  return JSON.stringify(key).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

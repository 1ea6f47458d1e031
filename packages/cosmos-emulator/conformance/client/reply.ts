/** An answer of the endpoint, as it came over the wire. */
import type { IncomingHttpHeaders } from "node:http";

export type Fields = Readonly<Record<string, unknown>>;

export class Reply {
  readonly status: number;
  readonly text: string;
  /** The request, for messages. */
  readonly request: string;
  readonly #headers: IncomingHttpHeaders;

  constructor(request: string, status: number, headers: IncomingHttpHeaders, text: string) {
    this.request = request;
    this.status = status;
    this.#headers = headers;
    this.text = text;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(",") : value;
  }

  /** Lists the names in small letters. */
  get headerNames(): readonly string[] {
    return Object.keys(this.#headers);
  }

  /** 0 where the header is absent, as the service means it. */
  get substatus(): number {
    return Number(this.header("x-ms-substatus") ?? 0);
  }

  get charge(): number {
    return Number(this.header("x-ms-request-charge") ?? Number.NaN);
  }

  get json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch {
      throw new Error(`${this.request}: the body of ${this.status} is no JSON: ${this.text.slice(0, 200)}`);
    }
  }

  /** The body, which must be an object. */
  get fields(): Fields {
    return fieldsOf(this.json);
  }

  /** The body of a batch, or `Documents` of a feed or query. */
  get list(): readonly unknown[] {
    const json = this.json;
    if (Array.isArray(json)) return json;
    const documents = fieldsOf(json)["Documents"];
    if (Array.isArray(documents)) return documents;
    throw new Error(`${this.request}: neither an array nor Documents: ${this.text.slice(0, 200)}`);
  }

  /** The same, where each must be an object. */
  get objects(): readonly Fields[] {
    return this.list.map(fieldsOf);
  }
}

export function fieldsOf(value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new Error(`expected an object, got ${JSON.stringify(value)}`);
}

export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error(`expected a string, got ${JSON.stringify(value)}`);
}

/** Requests to the endpoint that served the page, as a client of its data plane and of its own routes. */
import { isObject, type Json, type JsonObject, parseExact } from "./exact-json.ts";

export interface Reply {
  readonly body: JsonObject;
  /** Request units. */
  readonly charge: number;
  /** `name=value;…` of a query that asked for them. */
  readonly queryMetrics: string | undefined;
  /** Place of the next page; absent after the last one. */
  readonly continuation: string | undefined;
}

/** A refusal, or an endpoint that does not answer (status 0). */
export class RequestError extends Error {
  readonly status: number;
  readonly substatus: string | undefined;
  readonly charge: number;

  constructor(message: string, status: number, substatus: string | undefined, charge: number) {
    super(message);
    this.status = status;
    this.substatus = substatus;
    this.charge = charge;
  }
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request of the data plane. `path` is a link of the service, such as `dbs/shop/colls/orders/docs`. */
export function call(path: string, options: RequestOptions = {}): Promise<Reply> {
  return send(`api/${path}`, options);
}

/** Sends a request to a route below `/_emulator/`. */
export function callTool(path: string): Promise<Reply> {
  return send(`../_emulator/${path}`, {});
}

/** Makes a link of names: `link("dbs", database, "colls", container)`. */
export function link(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

/** Returns the list with this name in a reply. */
export function listOf(reply: Reply, name: string): readonly JsonObject[] {
  const list = reply.body[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

async function send(url: string, { method = "GET", headers = {}, body }: RequestOptions): Promise<Reply> {
  const init = body === undefined ? { method, headers } : { method, headers, body };
  const response = await fetch(url, init).catch(() => undefined);
  if (response === undefined)
    throw new RequestError("The endpoint does not answer. Is it still running?", 0, undefined, 0);
  const text = await response.text();
  const charge = Number(response.headers.get("x-ms-request-charge") ?? 0);
  if (!response.ok) {
    const substatus = response.headers.get("x-ms-substatus") ?? undefined;
    throw new RequestError(messageIn(text), response.status, substatus, charge);
  }
  const parsed: Json = text === "" ? {} : parseExact(text);
  return {
    body: isObject(parsed) ? parsed : {},
    charge,
    queryMetrics: response.headers.get("x-ms-documentdb-query-metrics") ?? undefined,
    continuation: response.headers.get("x-ms-continuation") ?? undefined,
  };
}

function messageIn(text: string): string {
  try {
    const body = parseExact(text);
    if (isObject(body) && typeof body["message"] === "string") return body["message"];
  } catch {
    // Not the endpoint's own answer, then, but a proxy's: its text says more than nothing.
  }
  return text;
}

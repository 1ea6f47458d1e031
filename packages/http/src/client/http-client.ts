/** A client over HTTP, for programs without access to the store. */
import {
  type AnyAdmin,
  type AnyClient,
  type AnyOrchestration,
  type AnySchedules,
  type Client,
  type Clock,
  type CustomStatusOf,
  calleeName,
  checkInstanceId,
  checkOptions,
  checkRootId,
  InvalidInputError,
  jsonCodec,
  type LooseStartOptions,
  NO_SCHEMAS,
  type OptionList,
  optionList,
  type PayloadCodec,
  type ResultOf,
  rawCodec,
  type Schemas,
  type StartArguments,
  schemasOf,
  systemClock,
  systemRandom,
  validate,
} from "@duroxide-ts/core/browser";
import { START_TYPE, type Started } from "../wire/bodies.ts";
import { HttpHandle } from "./http-handle.ts";
import { InstanceLink } from "./instance-link.ts";
import { startBody } from "./start-body.ts";
import { adminOver, askOver, limitsOver, schedulesOver } from "./store-calls.ts";
import { type Fetch, type RequestHeaders, send, type Transport } from "./transport.ts";

/** The options of an `HttpClient`. */
export interface HttpClientOptions {
  /** Headers of each request, such as `authorization`; a function is called for each. */
  readonly headers?: RequestHeaders;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

const OPTIONS: OptionList = optionList<HttpClientOptions>({ headers: true, fetch: true, clock: true });

/**
 * Starts orchestrations and returns handles to them, over the routes of `http`. It has the calls of `Client` but `redacted`.
 * The server decides whether it answers those about the store as a whole (`admin` of `http`). Runs in browsers too.
 *
 * @example
 * ```ts
 * import { HttpClient } from "@duroxide-ts/http/client";
 *
 * const remote = new HttpClient("https://shop.example.com/api");
 * const started = await remote.start(checkout, { instanceId: "order-42", input: order });
 * console.log(await started.result());
 * ```
 */
export class HttpClient implements AnyClient {
  readonly #transport: Transport;
  #codec: PayloadCodec = jsonCodec;

  /** `address` is that of the handler, with its base path; in a browser it may be a path. */
  constructor(address: string | URL, options: HttpClientOptions = {}) {
    checkOptions("new HttpClient", options, OPTIONS);
    const { headers = {}, fetch: given, clock = systemClock } = options;
    this.#transport = {
      base: baseOf(address),
      fetch: given ?? ((url, init) => fetch(url, init)),
      headers,
      clock,
    };
  }

  /** Resolves when the start is stored. The options and errors are those of `Client`. */
  async start<
    O extends AnyOrchestration | string,
    Events extends readonly unknown[] = [],
    Messages extends readonly unknown[] = [],
  >(
    orchestration: O,
    ...args: StartArguments<O, Events, Messages>
  ): Promise<HttpHandle<ResultOf<O>, CustomStatusOf<O>>>;
  async start(
    orchestration: AnyOrchestration | string,
    options: LooseStartOptions = {},
  ): Promise<HttpHandle<unknown>> {
    const name = calleeName("client.start", "orchestration", orchestration);
    const { input, instanceId = systemRandom.uuid() } = options;
    checkRootId(instanceId);
    if (typeof orchestration !== "string" && orchestration.schema !== undefined) {
      validate(orchestration.schema, input, `input of orchestration "${name}"`);
    }
    const { value } = await send(this.#transport, {
      operation: "client.start",
      method: "POST",
      path: [name],
      headers: { "content-type": START_TYPE },
      body: startBody(this.#codec, name, { ...options, instanceId }),
    });
    const { created } = value as Started;
    return this.#handle(instanceId, { created, schemas: schemasOf(orchestration) });
  }

  /** A handle to an instance that exists, or may exist later. */
  handle<O extends AnyOrchestration | string>(
    orchestration: O,
    instanceId: string,
  ): HttpHandle<ResultOf<O>, CustomStatusOf<O>> {
    calleeName("client.handle", "orchestration", orchestration);
    checkInstanceId(instanceId);
    return this.#handle(instanceId, { created: false, schemas: schemasOf(orchestration) });
  }

  #handle<Output, Shown>(
    instanceId: string,
    of: { readonly created: boolean; readonly schemas: Schemas },
  ): HttpHandle<Output, Shown> {
    return new HttpHandle(new InstanceLink(this.#transport, this.#codec, instanceId), of);
  }

  /** "http" */
  get providerName(): string {
    return "http";
  }

  /** The address of the handler. */
  get storeTitle(): string {
    return this.#transport.base;
  }

  /** The server does not say. */
  get requestUnits(): undefined {
    return undefined;
  }

  /** Listing, inspection, deletion and pruning. */
  get admin(): AnyAdmin {
    return adminOver(askOver(this.#transport), this.#codec);
  }

  /** The limits of keys. */
  get limits(): Client["limits"] {
    return limitsOver(askOver(this.#transport));
  }

  /** Schedules, and their changes by hand. */
  get schedules(): AnySchedules {
    return schedulesOver(askOver(this.#transport), this.#codec, (instanceId) =>
      this.#handle(instanceId, { created: true, schemas: NO_SCHEMAS }),
    );
  }

  /** A client of the same server whose payloads are texts of JSON. */
  undecoded(): HttpClient {
    const { base, ...options } = this.#transport;
    const texts = new HttpClient(base, options);
    texts.#codec = rawCodec;
    return texts;
  }
}

function baseOf(address: string | URL): string {
  const text = String(address).replace(/\/+$/, "");
  const isAddress = URL.canParse(text) ? /^https?:/.test(text) : text === "" || text.startsWith("/");
  const hasMore = /[?#]|^https?:\/*[^/]*@/.test(text);
  if (isAddress && !hasMore) return text;
  // What stands there beside the path may be a password or a key.
  const got = hasMore ? "it has no user and no query" : `got ${JSON.stringify(String(address))}`;
  throw new InvalidInputError(
    `new HttpClient: the address must be that of the handler, such as "https://shop.example.com/api"; ${got}`,
  );
}

/** A client over HTTP, for programs without access to the store. */
import {
  type AnyOrchestration,
  type Client,
  type Clock,
  type CustomStatusOf,
  calleeName,
  checkInstanceId,
  checkOptions,
  checkRootId,
  InvalidInputError,
  type LooseStartOptions,
  type OptionList,
  optionList,
  type ResultOf,
  type StartArguments,
  schemasOf,
  systemClock,
  systemRandom,
  validate,
} from "@duroxide-ts/core/browser";
import { START_TYPE, type Started } from "../wire/bodies.ts";
import type { AnyClient } from "./any-client.ts";
import { HttpHandle } from "./http-handle.ts";
import { startBody } from "./start-body.ts";
import { type Fetch, type RequestHeaders, send, type Transport } from "./transport.ts";
import { unsupported } from "./unsupported.ts";

/** The options of an `HttpClient`. */
export interface HttpClientOptions {
  /** Headers of each request, such as `authorization`; a function is called for each. */
  readonly headers?: RequestHeaders;
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}

const OPTIONS: OptionList = optionList<HttpClientOptions>({ headers: true, fetch: true, clock: true });

type Unserved = Omit<Client, keyof AnyClient | "redacted" | "undecoded">;

/**
 * Starts orchestrations and returns handles to them, over the routes of `http`. It has the calls of `Client`; those that
 * need the store itself reject with `unsupported`. Runs in browsers too.
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
export class HttpClient implements AnyClient, Unserved {
  readonly #transport: Transport;

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
      body: startBody(name, { ...options, instanceId }),
    });
    const { created } = value as Started;
    return new HttpHandle(this.#transport, { instanceId, created, schemas: schemasOf(orchestration) });
  }

  /** A handle to an instance that exists, or may exist later. */
  handle<O extends AnyOrchestration | string>(
    orchestration: O,
    instanceId: string,
  ): HttpHandle<ResultOf<O>, CustomStatusOf<O>> {
    calleeName("client.handle", "orchestration", orchestration);
    checkInstanceId(instanceId);
    return new HttpHandle(this.#transport, { instanceId, created: false, schemas: schemasOf(orchestration) });
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

  /** Needs the store: ProviderError `unsupported`. */
  get admin(): Client["admin"] {
    throw unsupported("client.admin");
  }

  /** Needs the store: ProviderError `unsupported`. */
  get limits(): Client["limits"] {
    throw unsupported("client.limits");
  }

  /** Needs the store: ProviderError `unsupported`. */
  get schedules(): Client["schedules"] {
    throw unsupported("client.schedules");
  }

  /** Needs the store: ProviderError `unsupported`. */
  redacted(): never {
    throw unsupported("client.redacted");
  }

  /** Needs the store: ProviderError `unsupported`. */
  undecoded(): never {
    throw unsupported("client.undecoded");
  }
}

function baseOf(address: string | URL): string {
  const text = String(address).replace(/\/+$/, "");
  const isAddress = URL.canParse(text) ? /^https?:/.test(text) : text === "" || text.startsWith("/");
  if (isAddress && !/[?#]/.test(text)) return text;
  throw new InvalidInputError(
    `new HttpClient: the address must be that of the handler, such as "https://shop.example.com/api"; got ${JSON.stringify(String(address))}`,
  );
}

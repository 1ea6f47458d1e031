/** The options of `http`, checked. */
import type { AnyOrchestration, Client, Logger } from "@duroxide-ts/core";
import { ConfigurationError, systemClock } from "@duroxide-ts/core";
import type { RedactPayload } from "@duroxide-ts/core/stores";
import { type OptionList, optionFault, optionList, RareWarnings, toLogger } from "@duroxide-ts/core/stores";
import { type AddressOptions, type Authorize, addressFault } from "@duroxide-ts/core/web";

/** A delivery whose signature is checked. */
export interface Delivery {
  /** The request, with its body once more. */
  readonly request: Request;
  /** The body as it was sent, which is what signatures are made of. */
  readonly rawBody: Uint8Array;
}

/** The options of `http`. Pages of other origins than those of `origins` change nothing, and read nothing. */
export interface HttpOptions extends AddressOptions {
  /** A client of the store. */
  readonly client: Client;
  /** The orchestrations that may be started. Inputs are checked by their schemas. */
  readonly orchestrations: readonly AnyOrchestration[];
  /** Names the user of a request, or refuses it (401). Viewers read; operators also start, send, ask and cancel. */
  readonly authorize: Authorize;
  /**
   * Checks the signature of each event and queue message before anything is stored. All but `true` is refused (401), and so
   * is a rejection.
   */
  readonly verify?: (delivery: Delivery) => boolean | Promise<boolean>;
  /** Replaces parts of outputs, states and errors before they leave the server, as the dashboard does. */
  readonly redact?: RedactPayload;
  /**
   * Whether the store as a whole is served too, as in the dashboard: viewers list instances and read their histories, limits and
   * schedules, and operators change them by hand. False by default: then a user reaches only instances whose ids it knows.
   */
  readonly admin?: boolean;
  /** Size of a body; 4,000,000 bytes by default, above the largest payload of a client with its defaults. */
  readonly maxBodyBytes?: number;
  /** Ends waits and streams when it aborts, for a server that stops. */
  readonly signal?: AbortSignal;
  /** Gets errors that answers do not tell. They go to stderr by default. */
  readonly logger?: Logger;
}

export interface Settings {
  /** Changes the store. */
  readonly client: Client;
  /** Reads what may be seen. */
  readonly visible: Client;
  readonly orchestrations: readonly AnyOrchestration[];
  readonly authorize: Authorize;
  readonly verify: HttpOptions["verify"];
  readonly admin: boolean;
  readonly basePath: string;
  readonly origins: ReadonlySet<string>;
  readonly maxBodyBytes: number;
  readonly stopping: AbortSignal | undefined;
  readonly logger: Logger;
  readonly warnings: RareWarnings;
}

const OPTIONS: OptionList = optionList<HttpOptions>({
  client: true,
  orchestrations: true,
  authorize: true,
  verify: true,
  redact: true,
  admin: true,
  basePath: true,
  origins: true,
  maxBodyBytes: true,
  signal: true,
  logger: true,
});

const DEFAULT_MAX_BODY_BYTES = 4_000_000;

/** ConfigurationError for options that do not fit. */
export function readOptions(options: HttpOptions): Settings {
  const fault = optionFault("http", options ?? null, OPTIONS) ?? faultOf(options);
  if (fault !== undefined) throw new ConfigurationError(fault);
  const { client, orchestrations, authorize, verify, redact, signal } = options;
  const { admin = false, basePath = "", origins = [], maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  const logger = toLogger(options.logger, systemClock);
  return {
    client,
    visible: redact === undefined ? client : client.redacted(redact),
    orchestrations,
    authorize,
    verify,
    admin,
    basePath,
    origins: new Set(origins),
    maxBodyBytes,
    stopping: signal,
    logger,
    warnings: new RareWarnings(logger, systemClock),
  };
}

/** The client may be of another copy of core, so its methods tell it. */
function faultOf(options: HttpOptions): string | undefined {
  const { client, orchestrations, authorize, verify, admin = false, maxBodyBytes = 1 } = options;
  if (typeof authorize !== "function") {
    return "http: give authorize, a function that names the user of a request; there is no default";
  }
  if (typeof client?.start !== "function" || typeof client.handle !== "function") {
    return "http: give client, a Client of the store";
  }
  if (!Array.isArray(orchestrations) || !orchestrations.every(isOrchestration)) {
    return "http: orchestrations must be an array of what orchestration(…) returns";
  }
  if (verify !== undefined && typeof verify !== "function") return "http: verify must be a function";
  if (typeof admin !== "boolean") return "http: admin must be true or false";
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1) {
    return "http: maxBodyBytes must be a whole number of 1 or more";
  }
  return addressFault("http", options);
}

function isOrchestration(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "kind") === "orchestration";
}

/** The options of an endpoint: defaults, and the refusal of what makes no sense. */
import { DATA_CONTRIBUTOR, type EntraRole } from "./gateway/auth/data-role.ts";
import { type Authority, parseAuthority } from "./gateway/requests/called-host.ts";
import type { ExplorerFile } from "./gateway/tools/tool-routes.ts";
import { systemClock } from "./system.ts";

/** The key that Microsoft publishes for its emulators; tools know it. */
export const WELL_KNOWN_KEY: string =
  "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

/** Options of an endpoint; each has a default. */
export interface CosmosEmulatorOptions {
  /** Address to listen on. Default 127.0.0.1: other machines cannot connect unless you say so. */
  readonly host?: string;
  /**
   * Other names by which clients call the endpoint, such as the name of its service in a compose file: `cosmos`, or
   * `cosmos:8081` for this port only. On loopback it answers to `localhost`, `127.0.0.0/8` and `[::1]` with its port;
   * where other machines reach it, to these names and all addresses, with any port. Every other Host is refused with
   * 403, so that no web page can reach it by a name of its own. Default: none.
   */
  readonly allowedHosts?: readonly string[];
  /** Port to listen on. Default 8081, that of Microsoft's emulators; 0 takes a free one. */
  readonly port?: number;
  /** A file that keeps everything across restarts. Default: in memory, gone at the end. */
  readonly path?: string;
  /** The account's key, base64. Default: the well-known key of Microsoft's emulators. */
  readonly key?: string;
  /** Serve HTTPS with a certificate of its own. With `path` it is kept in `<path>.pem`. Default false. */
  readonly https?: boolean;
  /**
   * Answer cross-partition queries that the service sends back for a query plan, and accept `/` in ids, as other
   * emulators do. Default false: what the service refuses is refused.
   */
  readonly lenient?: boolean;
  /** Number of partitions of each new container, 1 to 64. Default 1. */
  readonly physicalPartitions?: number;
  /**
   * Accept Microsoft Entra bearer tokens. Their form and times are checked, not their signature. They have the rights
   * of the built-in Data Contributor, or of the role that is given: what it lacks is refused with 403/5301, what no
   * role of the data plane includes with 403/5300. Default false.
   */
  readonly aad?: boolean | EntraRole;
  /**
   * Treat a batch without the header `x-ms-cosmos-batch-atomic` as atomic. Default false: as on the service, it
   * then keeps what came before its first failure.
   */
  readonly treatBatchesAsAtomic?: boolean;
  /**
   * Refuse requests with 429 beyond the throughput that a container, or its database, was given. Default false: tests
   * are not throttled by surprise.
   */
  readonly enforceThroughput?: boolean;
  /**
   * The files of a data explorer by their paths, served at `/_explorer/`; its requests need no signature. The command
   * passes its own page. Default: none.
   */
  readonly explorer?: (path: string) => ExplorerFile | undefined;
  /** Number of requests that the request log keeps. Default 1,000. */
  readonly requestLogSize?: number;
  /** Seed of the random numbers of fault rules. Default 1. */
  readonly seed?: number;
  /** Returns milliseconds since the epoch. Default: the machine's clock. */
  now?(): number;
  /** Waits for a delayed request, or until `signal` aborts. Default: a timer. */
  wait?(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Called for every failure of the endpoint itself (a 500). By default it is in the request log only. */
  readonly onFailure?: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
}

/** The options with their defaults. */
export interface ResolvedOptions
  extends Required<Omit<CosmosEmulatorOptions, "path" | "allowedHosts" | "aad" | "explorer">> {
  readonly aad: EntraRole | undefined;
  readonly path: string | undefined;
  readonly explorer: CosmosEmulatorOptions["explorer"];
  readonly allowedHosts: readonly Authority[];
}

const KNOWN: Readonly<Record<keyof CosmosEmulatorOptions, true>> = {
  host: true,
  allowedHosts: true,
  port: true,
  path: true,
  key: true,
  https: true,
  lenient: true,
  physicalPartitions: true,
  aad: true,
  treatBatchesAsAtomic: true,
  enforceThroughput: true,
  explorer: true,
  requestLogSize: true,
  seed: true,
  now: true,
  wait: true,
  onFailure: true,
};

/** Throws a TypeError or RangeError that says what to give instead. */
export function resolveOptions(options: CosmosEmulatorOptions): ResolvedOptions {
  checkOptionNames(options, Object.keys(KNOWN));
  checkWholeNumber("port", options.port, 0, 65_535);
  checkWholeNumber("physicalPartitions", options.physicalPartitions, 1, 64);
  checkWholeNumber("requestLogSize", options.requestLogSize, 0, 1_000_000);
  checkWholeNumber("seed", options.seed, 0, 2 ** 32 - 1);
  checkKey(options.key);
  if (options.explorer !== undefined && typeof options.explorer !== "function") {
    throw new TypeError("The option explorer is no function: leave it out, the command serves the page.");
  }
  if (options.path === "") throw new TypeError("The option path is empty: name a file, or leave it out.");
  return {
    host: options.host ?? "127.0.0.1",
    allowedHosts: (options.allowedHosts ?? []).map(toAuthority),
    port: options.port ?? 8081,
    path: options.path === ":memory:" ? undefined : options.path,
    key: options.key ?? WELL_KNOWN_KEY,
    https: options.https ?? false,
    lenient: options.lenient ?? false,
    physicalPartitions: options.physicalPartitions ?? 1,
    aad: roleOf(options.aad ?? false),
    treatBatchesAsAtomic: options.treatBatchesAsAtomic ?? false,
    enforceThroughput: options.enforceThroughput ?? false,
    explorer: options.explorer,
    requestLogSize: options.requestLogSize ?? 1_000,
    seed: options.seed ?? 1,
    now: options.now ?? systemClock.now,
    wait: options.wait ?? systemClock.wait,
    onFailure: options.onFailure ?? (() => undefined),
  };
}

function roleOf(aad: boolean | EntraRole): EntraRole | undefined {
  if (typeof aad === "boolean") return aad ? DATA_CONTRIBUTOR : undefined;
  checkOptionNames(aad, ["dataActions", "scope"]);
  const { dataActions, scope = "/" } = aad;
  if (!Array.isArray(dataActions) || dataActions.some((action) => typeof action !== "string")) {
    throw new TypeError("The option aad has no dataActions: give a list of their names.");
  }
  if (!/^\/$|^\/dbs\/[^/]+(\/colls\/[^/]+)?$/.test(scope)) {
    throw new TypeError(
      `The option aad has the scope ${JSON.stringify(scope)}: give /, /dbs/NAME or /dbs/NAME/colls/NAME.`,
    );
  }
  return { dataActions, scope };
}

function checkWholeNumber(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new RangeError(`The option ${name} is ${value}: give a whole number from ${least} to ${most}.`);
}

function toAuthority(host: string): Authority {
  const authority = parseAuthority(host);
  if (authority !== undefined) return authority;
  const given = JSON.stringify(host);
  throw new TypeError(
    `The option allowedHosts has ${given}: give names or addresses, such as cosmos or cosmos:8081.`,
  );
}

function checkKey(key: string | undefined): void {
  if (key === undefined) return;
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(key) && key.length % 4 === 0;
  if (!isBase64) throw new TypeError("The option key is not base64: give the key as an account shows it.");
}

/** Throws a TypeError for what is no object, and for the first name that is not among the known ones. */
function checkOptionNames(options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`The options must be an object with ${known.join(", ")}; or leave them out.`);
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = known.find((name) => isNear(unknown.toLowerCase(), name.toLowerCase()));
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new TypeError(`There is no option "${unknown}".${hint} The options are ${known.join(", ")}.`);
}

/** Tells whether one text becomes the other by at most two characters more, fewer or other in one place. */
function isNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}

/** The options of the leases of a container, with their defaults. */
import type { PartitionKey } from "@azure/cosmos";
import { type Clock, type Random, stderrLogger, systemClock, systemRandom } from "@duroxide-ts/core";
import {
  type OptionList,
  optionFault,
  optionList,
  ProviderError,
  toWarnings,
} from "@duroxide-ts/core/stores";

/**
 * How leases are written: by stored procedures if they are available (`auto`), always by batches (`never`), or only by
 * stored procedures (`required`). The results are the same.
 */
export type UseOfProcedures = "auto" | "never" | "required";

/** The options of the leases of a container. Names that end in Ms are times in milliseconds. */
export interface DocumentLeasesOptions {
  /** How long a lease lasts; 60,000 by default. */
  readonly leaseMs?: number;
  /** The property with the state for `nextForState`; "state" by default. Dots separate nested names: "order.state". */
  readonly stateProperty?: string;
  /** The top-level property that contains the lease; "lease" by default. */
  readonly leaseProperty?: string;
  /**
   * The property that orders documents, smallest first, such as a time; needs an index. Dots separate nested names.
   * Without it the order is the service's.
   */
  readonly orderBy?: string;
  /**
   * The partition key of a document of which only the id is given. Not needed if the container is partitioned by id.
   */
  readonly partitionKeyOf?: (id: string) => PartitionKey;
  /** "auto" by default. */
  readonly procedures?: UseOfProcedures;
  /** How long a call is retried while the service is busy or out of reach; 10,000 by default. */
  readonly timeoutMs?: number;
  /** How long one request may take, by the clock of the machine; 10,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Called for warnings, such as a procedure that another program changed. By default they are written to stderr. */
  readonly onWarning?: (message: string) => void;
  /** The system's by default. Limits retries; it never decides whether a lease has expired. */
  readonly clock?: Clock;
  /** The system's by default. */
  readonly random?: Random;
}

export interface LeaseSettings {
  readonly leaseMs: number;
  readonly stateProperty: PropertyPath;
  readonly leaseProperty: string;
  readonly orderBy: PropertyPath | undefined;
  readonly partitionKeyOf: ((id: string) => PartitionKey) | undefined;
  readonly procedures: UseOfProcedures;
  readonly timeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly onWarning: (message: string) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** The nested names from the top level of a document. */
export type PropertyPath = readonly string[];

const USES: readonly string[] = ["auto", "never", "required"] satisfies readonly UseOfProcedures[];

/** A longer lease is a mistake of the unit, and its end must be an exact integer. */
const LONGEST_LEASE_MS = 365 * 24 * 60 * 60 * 1_000;

/** Less than the longest timer of Node. */
const LONGEST_REQUEST_MS = 24 * 60 * 60 * 1_000;

const KNOWN: OptionList = optionList<DocumentLeasesOptions>({
  leaseMs: true,
  stateProperty: true,
  leaseProperty: true,
  orderBy: true,
  partitionKeyOf: true,
  procedures: true,
  timeoutMs: true,
  requestTimeoutMs: true,
  onWarning: true,
  clock: true,
  random: true,
});

/** Throws `invalid-input` for an option that does not exist, and for an invalid value. */
export function toLeaseSettings(options: DocumentLeasesOptions): LeaseSettings {
  const fault = optionFault("DocumentLeases.on", options, KNOWN);
  if (fault !== undefined) throw invalid("on", fault);
  const { procedures = "auto", orderBy } = options;
  if (!USES.includes(procedures)) {
    throw invalid("on", `procedures is ${JSON.stringify(procedures)}; give "auto", "never" or "required"`);
  }
  const { clock = systemClock } = options;
  const onWarning = toWarnings(options.onWarning, { clock, logger: stderrLogger({ clock }) });
  return {
    leaseMs: toMs("leaseMs", options.leaseMs ?? 60_000, LONGEST_LEASE_MS),
    stateProperty: toPath("stateProperty", options.stateProperty ?? "state"),
    leaseProperty: toPropertyName("leaseProperty", options.leaseProperty ?? "lease"),
    orderBy: orderBy === undefined ? undefined : toPath("orderBy", orderBy),
    partitionKeyOf: options.partitionKeyOf,
    procedures,
    timeoutMs: toMs("timeoutMs", options.timeoutMs ?? 10_000, LONGEST_LEASE_MS),
    requestTimeoutMs: toMs("requestTimeoutMs", options.requestTimeoutMs ?? 10_000, LONGEST_REQUEST_MS),
    onWarning: (message) => onWarning(message, {}),
    clock,
    random: options.random ?? systemRandom,
  };
}

export function invalid(operation: string, message: string): ProviderError {
  return new ProviderError({ code: "invalid-input", operation, message });
}

function toMs(name: string, value: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw invalid("on", `${name} is ${String(value)}; give whole milliseconds from 1 to ${most}`);
}

/** A name that needs no quotes in queries and in the paths of patches. */
const NAME = /^[A-Za-z_][\w-]*$/;

/** Properties that the service writes, or by which it identifies a document. */
const RESERVED: readonly string[] = ["id", "ttl", "_rid", "_self", "_etag", "_ts", "_attachments"];

function toPropertyName(option: string, value: string): string {
  if (NAME.test(value) && !RESERVED.includes(value)) return value;
  throw invalid("on", `${option} is ${JSON.stringify(value)}; give a name of letters, digits, _ and -`);
}

function toPath(option: string, value: string): PropertyPath {
  const names = String(value).split(".");
  if (names.every((name) => NAME.test(name))) return names;
  const example = "give names of letters, digits, _ and -, with dots between nested names";
  throw invalid("on", `${option} is ${JSON.stringify(value)}; ${example}`);
}

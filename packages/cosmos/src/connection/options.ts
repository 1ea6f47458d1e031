/** The options of connecting to a container, with their defaults. */
import type { TokenCredential } from "@azure/core-auth";
import { type Clock, type Random, stderrLogger, systemClock, systemRandom } from "@duroxide-ts/core";
import {
  type OptionList,
  optionFault,
  optionList,
  type Processes,
  systemProcesses,
  toObserver,
  toWarnings,
} from "@duroxide-ts/core/stores";
import type { RequestInfo } from "../service/call.ts";
import { type Access, isLoopback, toAccount } from "./access.ts";
import {
  invalidOption,
  LONGEST_TIMER_MS,
  toCallback,
  toFlag,
  toLocations,
  toResourceName,
  toWhole,
} from "./option-checks.ts";

const SHORTEST_BEAT_MS = 2_000;
const LONGEST_BEAT_MS = 3_600_000;
/** Part of a lease with which a member document is written at every other beat. */
const SPARE_LEASE_MS = 3_000;

/** RU/s of a new container: a fixed number, or the maximum of autoscale. */
export type Throughput = number | { readonly autoscaleMaxRu: number };

/** The interval at which a waiting fetch polls for work of other processes, in ms. */
export interface PollInterval {
  /** The interval while there is work; 20 by default. */
  readonly min?: number;
  /** The maximum to which the interval grows while there is no work; 1,000 by default. */
  readonly max?: number;
}

/** The times by which the processes on one container know of each other. */
export interface MembershipTimes {
  /** How long the others count on a process that was killed; 3 s more than three times `beatMs` by default. */
  readonly leaseMs?: number;
  /** The longest time between two renewals, a read each, and a write every other time; 9,000 by default. */
  readonly beatMs?: number;
}

/** The options of connecting to a container. Names that end in Ms are times in milliseconds. */
export interface CosmosProviderOptions {
  /** The account, such as `https://my-account.documents.azure.com`. `http` is for this machine only. */
  readonly endpoint?: string;
  /** A key of the account, base64. Without key, connection string and credential, DefaultAzureCredential is used. */
  readonly key?: string;
  /** Connection string instead of endpoint and key. */
  readonly connectionString?: string;
  /** Microsoft Entra ID: any credential of `@azure/identity`. */
  readonly credential?: TokenCredential;
  /** "duroxide" by default. */
  readonly database?: string;
  /** "duroxide" by default. */
  readonly container?: string;
  /**
   * Whether a missing database or container is created. True by default with a key or connection string. With Entra ID
   * it is false and cannot be true, because roles for data do not include it.
   */
  readonly createIfMissing?: boolean;
  /**
   * The throughput of a new container; an existing one is never changed. By default the request has no throughput,
   * which gives 400 RU/s, and is the only form that a serverless account accepts.
   */
  readonly throughput?: Throughput;
  /** How often the provider searches undelivered messages; 2,000 by default. */
  readonly reconcilerIntervalMs?: number;
  /** How old such a message must be, so that its writer can deliver it first; 2,000 by default. */
  readonly reconcilerAgeMs?: number;
  readonly pollIntervalMs?: PollInterval;
  /**
   * How the processes on one container know of each other, so that they take turns at the queries for work. `false`: this
   * process does not take part, and queries everything. It takes part by default.
   */
  readonly membership?: false | MembershipTimes;
  /** How long one request may take; 10,000 by default. */
  readonly requestTimeoutMs?: number;
  /** Accept any certificate. False by default, and rejected unless the endpoint is on this machine. */
  readonly acceptSelfSignedCertificate?: boolean;
  /** Regions to read from, nearest first, such as "West Europe". Writes go to the account's write region. */
  readonly preferredLocations?: readonly string[];
  /** The system's clock by default. */
  readonly clock?: Clock;
  /** The system's by default. */
  readonly random?: Random;
  /** Says which processes of this machine have ended, so that their locks are freed; the system's by default. */
  readonly processes?: Processes;
  /**
   * Called for events that need attention: messages set aside, faults of the container. By default warnings are written
   * to stderr; `() => {}` is silent. `about` is set if the clock of this machine differs from that of the service, or if
   * the container lacks indexes.
   */
  readonly onWarning?: (
    message: string,
    fields: { readonly instanceId?: string; readonly about?: "clock" | "indexes" },
  ) => void;
  /**
   * Called when the container is opened, for what it lacks that only makes queries of operators cost more. Nothing is
   * written without it.
   */
  readonly onAdvice?: (message: string) => void;
  /** Called after every request, when its outcome is known. */
  readonly onRequest?: (info: RequestInfo) => void;
}

export interface Settings {
  readonly endpoint: URL;
  readonly access: Access;
  readonly database: string;
  readonly container: string;
  readonly createIfMissing: boolean;
  readonly throughput: Throughput | undefined;
  readonly reconcilerIntervalMs: number;
  readonly reconcilerAgeMs: number;
  readonly pollIntervalMs: Required<PollInterval>;
  readonly membership: false | Required<MembershipTimes>;
  readonly requestTimeoutMs: number;
  readonly acceptSelfSignedCertificate: boolean;
  readonly preferredLocations: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  readonly onWarning: (
    message: string,
    fields: { readonly instanceId?: string; readonly about?: "clock" | "indexes" },
  ) => void;
  readonly onAdvice: (message: string) => void;
  readonly onRequest: (info: RequestInfo) => void;
}

const KNOWN: OptionList = optionList<CosmosProviderOptions>({
  endpoint: true,
  key: true,
  connectionString: true,
  credential: true,
  database: true,
  container: true,
  createIfMissing: true,
  throughput: true,
  reconcilerIntervalMs: true,
  reconcilerAgeMs: true,
  pollIntervalMs: true,
  membership: true,
  requestTimeoutMs: true,
  acceptSelfSignedCertificate: true,
  preferredLocations: true,
  clock: true,
  random: true,
  processes: true,
  onWarning: true,
  onAdvice: true,
  onRequest: true,
});
const POLL_INTERVAL: OptionList = optionList<PollInterval>({ min: true, max: true });
const MEMBERSHIP: OptionList = optionList<MembershipTimes>({ leaseMs: true, beatMs: true });

function checkNames(where: string, options: unknown, known: OptionList): void {
  const fault = optionFault(where, options, known);
  if (fault !== undefined) throw invalidOption(fault);
}

/** Throws `invalid-input` for an option that does not exist, and for an invalid value. Sends nothing. */
export function toSettings(options: CosmosProviderOptions = {}): Settings {
  if (Object.hasOwn(options ?? {}, "slotLeases")) {
    throw invalidOption("slotLeases is called membership now; give the same value under that name");
  }
  checkNames("CosmosProvider.connect", options, KNOWN);
  const { endpoint, access } = toAccount(options);
  const { clock = systemClock } = options;
  const tools = { clock, logger: stderrLogger({ clock }) };
  return {
    endpoint,
    access,
    database: toResourceName("database", options.database ?? "duroxide"),
    container: toResourceName("container", options.container ?? "duroxide"),
    createIfMissing: toCreateIfMissing(access, options.createIfMissing),
    throughput: toThroughput(options.throughput),
    reconcilerIntervalMs: toWhole("reconcilerIntervalMs", options.reconcilerIntervalMs ?? 2_000, 1),
    reconcilerAgeMs: toWhole("reconcilerAgeMs", options.reconcilerAgeMs ?? 2_000, 0),
    pollIntervalMs: toPollInterval(options.pollIntervalMs ?? {}),
    membership: toMembership(options.membership ?? {}),
    requestTimeoutMs: toWhole("requestTimeoutMs", options.requestTimeoutMs ?? 10_000, 1, LONGEST_TIMER_MS),
    acceptSelfSignedCertificate: toTrust(endpoint, options.acceptSelfSignedCertificate ?? false),
    preferredLocations: toLocations(options.preferredLocations ?? []),
    clock,
    random: options.random ?? systemRandom,
    processes: options.processes ?? systemProcesses,
    onWarning: toWarnings(toCallback("onWarning", options.onWarning), tools),
    onAdvice: toObserver("onAdvice", toCallback("onAdvice", options.onAdvice), tools),
    onRequest: toObserver("onRequest", toCallback("onRequest", options.onRequest), tools),
  };
}

function toCreateIfMissing(access: Access, value: boolean | undefined): boolean {
  if (access.kind === "key") return toFlag("createIfMissing", value ?? true);
  if (!toFlag("createIfMissing", value ?? false)) return false;
  throw invalidOption(
    "createIfMissing is true, but Microsoft Entra roles for data cannot create databases or containers; leave it out and create them with az, or give a key",
  );
}

function toThroughput(value: Throughput | undefined): Throughput | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number") return toRuPerSecond("throughput", value, 400, 100);
  const most = toRuPerSecond("throughput.autoscaleMaxRu", value?.autoscaleMaxRu, 1_000, 1_000);
  return { autoscaleMaxRu: most };
}

/** The service rejects smaller values (docs/reference/cosmos-protocol.md §3.1) and values between its steps. */
function toRuPerSecond(name: string, value: number, least: number, step: number): number {
  if (Number.isSafeInteger(value) && value >= least && value % step === 0) return value;
  throw invalidOption(`${name} is ${String(value)}; give RU/s from ${least} in steps of ${step}`);
}

function toPollInterval(value: PollInterval): Required<PollInterval> {
  checkNames("pollIntervalMs", value, POLL_INTERVAL);
  const { min = 20, max = 1_000 } = value;
  toWhole("pollIntervalMs.min", min, 1);
  return { min, max: toWhole("pollIntervalMs.max", max, min) };
}

/** One beat may be late and one may fail before a lease expires; the service's times are whole seconds. */
function toMembership(value: false | MembershipTimes): Settings["membership"] {
  if (value === false) return false;
  if (typeof value !== "object" || value === null) {
    throw invalidOption(`membership is ${String(value)}; give false, or {} for the usual times`);
  }
  checkNames("membership", value, MEMBERSHIP);
  const { beatMs = 9_000, leaseMs = 3 * beatMs + SPARE_LEASE_MS } = value;
  toWhole("membership.beatMs", beatMs, SHORTEST_BEAT_MS, LONGEST_BEAT_MS);
  return { beatMs, leaseMs: toWhole("membership.leaseMs", leaseMs, 3 * beatMs, 10 * LONGEST_BEAT_MS) };
}

function toTrust(endpoint: URL, value: boolean): boolean {
  if (!toFlag("acceptSelfSignedCertificate", value) || isLoopback(endpoint.hostname)) return value;
  throw invalidOption(
    `acceptSelfSignedCertificate is for an endpoint on this machine, and ${endpoint.hostname} is not: everyone with access to the network could read and change all data. Leave it out, or trust the certificate with NODE_EXTRA_CA_CERTS`,
  );
}

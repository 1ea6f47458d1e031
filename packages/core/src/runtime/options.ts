/** What a runtime can be told, and what it does when it is told nothing (docs/reference/runtime-semantics.md §3.11). */
import { type Clock, type Random, systemClock, systemRandom } from "../contract/clock.ts";
import type { Provider, TagFilter } from "../contract/provider.ts";
import type { AnyActivity, AnyOrchestration } from "../define/definitions.ts";
import { MAX_TAG_BYTES, MAX_WORKER_TAGS, utf8Bytes } from "../define/limits.ts";
import type { Logger } from "../define/logger.ts";
import { stderrLogger } from "../define/stderr-logger.ts";
import { ConfigurationError } from "../errors/duroxide-error.ts";
import type { GuardMode } from "../guard/open-turns.ts";
import { disowned } from "../guard/rejections.ts";
import type { Meter } from "../observe/meter.ts";
import type { Observer } from "../observe/observer.ts";
import type { Tracer } from "../observe/tracer.ts";
import { jsonCodec } from "../payload/json-codec.ts";
import { LargePayloads } from "../payload/large-payloads.ts";
import { DEFAULT_MAX_PAYLOAD_BYTES, limitedCodec, type NamingCodec } from "../payload/limited-codec.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import { probeCodec } from "../payload/probe-codec.ts";
import { unguardedCodec } from "../replay/code/unguarded-codec.ts";
import { DUROXIDE_SEMVER, type VersionRange } from "../wire/version.ts";
import { checkRuntimeOptions } from "./option-check.ts";
import type { VersionPolicies } from "./registry.ts";
import type { StoreTrouble } from "./store-health.ts";

/** What a runtime can be told. Options that end in `Ms` are milliseconds. */
export interface RuntimeOptions {
  readonly provider: Provider;
  readonly orchestrations?: readonly AnyOrchestration[];
  readonly activities?: readonly AnyActivity[];
  /** Which version a start without one gets; the newest by default. */
  readonly versionPolicies?: VersionPolicies;

  /** Turns at a time; 0 leaves turns to others. 256: a turn mostly waits for its commit (docs/decisions/0007). */
  readonly orchestrationConcurrency?: number;
  /** Activities at a time; 0 leaves them to others. 100: JavaScript activities mostly wait (docs/decisions/0007). */
  readonly workerConcurrency?: number;
  /** 30 s. How long one look for work may wait in the store. */
  readonly longPollTimeoutMs?: number;
  /** 100 ms. How often a store that cannot wait is asked. */
  readonly minPollIntervalMs?: number;
  /** 5 s. */
  readonly orchestratorLockTimeoutMs?: number;
  /** 2 s. A lock of 15 s or more is renewed so long before it ends; a shorter one at half its time. */
  readonly orchestratorLockRenewalBufferMs?: number;
  /** 30 s. */
  readonly workerLockTimeoutMs?: number;
  /** 5 s. */
  readonly workerLockRenewalBufferMs?: number;
  /**
   * 10. How often work may end its process, or fail unexpectedly. After that it runs alone in its process; if
   * two such runs end the same way the work is poison: its orchestration or activity fails (docs/decisions/0017).
   */
  readonly maxAttempts?: number;
  /**
   * What happens to an instance whose code does not fit its history: it is blocked until a process with fitting
   * code takes it ("block", the default), or it fails ("fail").
   */
  readonly onNondeterminism?: BlockOrFail;
  /**
   * What happens to work whose handler or version is not registered here: it is blocked until a process that has it
   * takes it ("block", the default), or it is poison after `maxAttempts` ("fail").
   */
  readonly onMissingHandler?: BlockOrFail;
  /** Waiting time of blocked work: 1 s, doubling, up to 60 s. */
  readonly unregisteredBackoff?: { readonly baseMs?: number; readonly maxMs?: number };
  /** 10 s. How long a cancelled activity may go on before its slot is taken away. */
  readonly activityCancellationGraceMs?: number;
  /** Versions of stored executions that this runtime continues: 0.0.0 to its own by default. */
  readonly supportedVersions?: VersionRange;
  /** 30 s. */
  readonly sessionLockTimeoutMs?: number;
  /** 5 s. */
  readonly sessionLockRenewalBufferMs?: number;
  /** 5 min. A session without work for so long is given up. */
  readonly sessionIdleTimeoutMs?: number;
  /** 5 min. */
  readonly sessionCleanupIntervalMs?: number;
  /** 10. Distinct sessions with an activity in flight. */
  readonly maxSessionsPerRuntime?: number;
  /** A stable name under which sessions survive a restart; by default each slot has one of its own. */
  readonly workerNodeId?: string;
  /** Untagged activities only, by default. */
  readonly workerTagFilter?: TagFilter;

  /** Executions kept in memory between turns; 0 switches that off. 1000 by default. */
  readonly liveExecutions?: number;
  /**
   * Estimated bytes that they may take together. By default a twentieth of the memory that the process may still
   * use, container limits included, but 16 to 256 MB.
   */
  readonly liveExecutionBytes?: number;
  /**
   * What happens when orchestration code calls `Date.now()`, `Math.random()`, `fetch()` and their like: the call
   * throws ("error", the default), it is logged ("warning"), or nothing ("off").
   */
  readonly determinismGuard?: GuardMode;
  /** Payload encoding; JSON by default. */
  readonly codec?: PayloadCodec;
  /**
   * 1,500,000 bytes. What an input, result, output or status may take in the store, where its JSON is escaped twice.
   * More is a LimitExceededError where it is made, and nothing is stored (docs/guide/12-payloads.md). A larger limit
   * fits SQLite, not Azure Cosmos DB.
   */
  readonly maxPayloadBytes?: number;
  /**
   * Called when the store begins to fail, and once a minute while it does. With `permanent` the runtime goes on
   * trying, but waiting alone will not help: end the process, or close and open the provider.
   */
  readonly onStoreTrouble?: (trouble: StoreTrouble) => void;
  /**
   * True. Whether a failure is stored with the stack of what was thrown, and of its causes: bounded, in clear text, and
   * with the paths of source files. The log has stacks in any case (docs/decisions/0021).
   */
  readonly storeStacks?: boolean;
  /**
   * Structured entries with a field `event`. A pino logger fits. By default warnings and errors go to stderr
   * (`stderrLogger`); `silentLogger` writes nothing (docs/observability.md).
   */
  readonly logger?: Logger;
  /** Of @opentelemetry/api: switches the metrics on. */
  readonly meter?: Meter;
  /** Of @opentelemetry/api: switches the spans on, and lets traces travel through the store. */
  readonly tracer?: Tracer;
  /** 60 s. How often, at most, the store is asked for the gauges; it is asked only when they are collected. */
  readonly gaugePollIntervalMs?: number;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** What a runtime does with work that it cannot go on with. */
export type BlockOrFail = "block" | "fail";

type Defaulted = Required<
  Omit<
    RuntimeOptions,
    "provider" | "workerNodeId" | "supportedVersions" | "unregisteredBackoff" | "meter" | "tracer" | "codec"
  >
>;

/** The options with their defaults. */
export interface ResolvedOptions extends Defaulted {
  readonly provider: Provider;
  readonly codec: NamingCodec;
  readonly meter: Meter | undefined;
  readonly tracer: Tracer | undefined;
  readonly workerNodeId: string | undefined;
  readonly supportedVersions: VersionRange;
  readonly unregisteredBackoff: { readonly baseMs: number; readonly maxMs: number };
}

export interface RuntimeSettings extends ResolvedOptions {
  readonly observer: Observer;
}

const ZERO = { major: 0, minor: 0, patch: 0, prerelease: [] };

export function resolveOptions(options: RuntimeOptions): ResolvedOptions {
  checkRuntimeOptions(options);
  const { baseMs = 1_000, maxMs = 60_000 } = options.unregisteredBackoff ?? {};
  const settings: ResolvedOptions = {
    orchestrations: [],
    activities: [],
    versionPolicies: {},
    orchestrationConcurrency: 256,
    workerConcurrency: 100,
    longPollTimeoutMs: 30_000,
    minPollIntervalMs: 100,
    orchestratorLockTimeoutMs: 5_000,
    orchestratorLockRenewalBufferMs: 2_000,
    workerLockTimeoutMs: 30_000,
    workerLockRenewalBufferMs: 5_000,
    maxAttempts: 10,
    onNondeterminism: "block",
    onMissingHandler: "block",
    onStoreTrouble: () => {},
    activityCancellationGraceMs: 10_000,
    sessionLockTimeoutMs: 30_000,
    sessionLockRenewalBufferMs: 5_000,
    sessionIdleTimeoutMs: 300_000,
    sessionCleanupIntervalMs: 300_000,
    maxSessionsPerRuntime: 10,
    workerTagFilter: { kind: "default-only" },
    liveExecutions: 1_000,
    liveExecutionBytes: defaultLiveExecutionBytes(),
    determinismGuard: "error",
    codec: jsonCodec,
    maxPayloadBytes: DEFAULT_MAX_PAYLOAD_BYTES,
    storeStacks: true,
    logger: stderrLogger(),
    gaugePollIntervalMs: 60_000,
    clock: systemClock,
    random: systemRandom,
    ...withoutUndefined(options),
    meter: options.meter,
    tracer: options.tracer,
    workerNodeId: options.workerNodeId,
    supportedVersions: options.supportedVersions ?? { min: ZERO, max: DUROXIDE_SEMVER },
    unregisteredBackoff: { baseMs, maxMs },
  };
  checkSettings(settings);
  const { codec = jsonCodec } = options;
  probeCodec(codec);
  return { ...settings, codec: codecOfTurns(codec, settings) };
}

/** Orchestration code calls it, so what it logs is no call of that code, and no promise of it either. */
function codecOfTurns(codec: PayloadCodec, { logger, maxPayloadBytes }: ResolvedOptions): NamingCodec {
  const large = new LargePayloads({
    warn: (fields, message) => disowned(() => logger.warn(fields, message)),
  });
  return unguardedCodec(limitedCodec(codec, maxPayloadBytes, large));
}

const MEGABYTE = 1024 * 1024;

function defaultLiveExecutionBytes(): number {
  const share = process.availableMemory() / 20;
  return Math.round(Math.min(Math.max(share, 16 * MEGABYTE), 256 * MEGABYTE));
}

function withoutUndefined(options: RuntimeOptions): RuntimeOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as RuntimeOptions;
}

function checkSettings(settings: ResolvedOptions): void {
  for (const name of ONE_OR_MORE) checkWholeNumber(name, settings[name], 1);
  for (const name of ZERO_OR_MORE) checkWholeNumber(name, settings[name], 0);
  checkWholeNumber("unregisteredBackoff.baseMs", settings.unregisteredBackoff.baseMs, 0);
  checkWholeNumber("unregisteredBackoff.maxMs", settings.unregisteredBackoff.maxMs, 0);
  if (settings.orchestrationConcurrency === 0 && settings.workerConcurrency === 0) {
    throw new ConfigurationError(
      "orchestrationConcurrency and workerConcurrency are both 0, so the runtime would do nothing; raise one of them, or start no runtime",
    );
  }
  const { sessionIdleTimeoutMs, workerLockTimeoutMs, workerLockRenewalBufferMs, workerTagFilter } = settings;
  if (sessionIdleTimeoutMs <= workerLockTimeoutMs - workerLockRenewalBufferMs) {
    throw new ConfigurationError(
      "sessionIdleTimeoutMs must be longer than workerLockTimeoutMs - workerLockRenewalBufferMs, or busy sessions would count as idle",
    );
  }
  if ("tags" in workerTagFilter) checkTags(workerTagFilter.tags);
}

function checkWholeNumber(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new ConfigurationError(`${name} must be a whole number of ${least} or more; got ${value}`);
}

const ONE_OR_MORE = [
  "longPollTimeoutMs",
  "minPollIntervalMs",
  "orchestratorLockTimeoutMs",
  "orchestratorLockRenewalBufferMs",
  "workerLockTimeoutMs",
  "workerLockRenewalBufferMs",
  "sessionLockTimeoutMs",
  "sessionLockRenewalBufferMs",
  "sessionIdleTimeoutMs",
  "sessionCleanupIntervalMs",
  "maxSessionsPerRuntime",
  "gaugePollIntervalMs",
  "maxPayloadBytes",
  "maxAttempts",
] as const satisfies readonly (keyof ResolvedOptions)[];

const ZERO_OR_MORE = [
  "orchestrationConcurrency",
  "workerConcurrency",
  "activityCancellationGraceMs",
  "liveExecutions",
  "liveExecutionBytes",
] as const satisfies readonly (keyof ResolvedOptions)[];

function checkTags(tags: readonly string[]): void {
  if (tags.length < 1 || tags.length > MAX_WORKER_TAGS) {
    throw new ConfigurationError(`workerTagFilter takes 1 to ${MAX_WORKER_TAGS} tags; got ${tags.length}`);
  }
  const long = tags.find((tag) => utf8Bytes(tag) > MAX_TAG_BYTES);
  if (long !== undefined)
    throw new ConfigurationError(`workerTagFilter: "${long}" is longer than ${MAX_TAG_BYTES} bytes`);
}

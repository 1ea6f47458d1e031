/**
 * Runtime options and their defaults (docs/reference/runtime-semantics.md §3.11). The options stay flat: their prefixes
 * are their groups (docs/decisions/payloads.md). Numbers are checked here, together with the defaults that they are
 * compared with; names and kinds of values in option-check.ts.
 */
import type { Client } from "../../client/client.ts";
import { type AppliedLimits, checkedLimits } from "../../client/limit-calls.ts";
import { systemClock, systemRandom } from "../../contract/clock.ts";
import type { Provider } from "../../contract/provider.ts";
import {
  DEFAULT_MAX_PAYLOAD_BYTES,
  MAX_TAG_BYTES,
  MAX_WORKER_TAGS,
  surrogateFault,
} from "../../define/limits.ts";
import { toLogger, toObserver } from "../../define/observers.ts";
import { ConfigurationError } from "../../errors/duroxide-error.ts";
import type { Meter } from "../../observe/meter.ts";
import type { Observer } from "../../observe/observer.ts";
import type { Tracer } from "../../observe/tracer.ts";
import { shown } from "../../options/option-list.ts";
import { jsonCodec } from "../../payload/json-codec.ts";
import { LargePayloads } from "../../payload/large-payloads.ts";
import { limitedCodec, type NamingCodec } from "../../payload/limited-codec.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { probeCodec } from "../../payload/probe-codec.ts";
import { unguardedCodec } from "../../replay/code/unguarded-codec.ts";
import { utf8Bytes } from "../../wire/utf8.ts";
import { checkRuntimeOptions } from "./option-check.ts";
import { type Retention, resolveRetention } from "./retention-options.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

type Defaulted = Required<
  Omit<RuntimeOptions, "provider" | "workerNodeId" | "meter" | "tracer" | "codec" | "retention" | "limits">
>;

/** The options with their defaults. */
export interface ResolvedOptions extends Defaulted {
  readonly provider: Provider;
  readonly codec: NamingCodec;
  readonly meter: Meter | undefined;
  readonly tracer: Tracer | undefined;
  readonly workerNodeId: string | undefined;
  readonly retention: Retention | undefined;
  readonly limits: AppliedLimits;
}

export interface RuntimeSettings extends ResolvedOptions {
  readonly observer: Observer;
  /** The client that activities get; made at the first use. */
  readonly client: () => Client;
}

/** Throws a ConfigurationError for the first option that cannot be used. An option that is undefined has its default. */
export function resolveOptions(options: RuntimeOptions): ResolvedOptions {
  checkRuntimeOptions(options);
  const { clock = systemClock, onStoreTrouble } = options;
  const logger = toLogger(options.logger, clock);
  const settings: ResolvedOptions = {
    orchestrations: [],
    activities: [],
    schedules: [],
    versionPolicies: {},
    orchestrationConcurrency: 256,
    workerConcurrency: 100,
    longPollTimeoutMs: 30_000,
    minPollIntervalMs: 100,
    orchestratorLockTimeoutMs: 5_000,
    workerLockTimeoutMs: 30_000,
    maxAttempts: 10,
    onNondeterminism: "block",
    onMissingHandler: "block",
    sessionLockTimeoutMs: 30_000,
    sessionIdleTimeoutMs: 300_000,
    workerTagFilter: { kind: "default-only" },
    liveExecutions: 1_000,
    determinismGuard: "error",
    codec: jsonCodec,
    maxPayloadBytes: DEFAULT_MAX_PAYLOAD_BYTES,
    sourceLines: false,
    reportWorker: true,
    random: systemRandom,
    ...withoutUndefined(options),
    clock,
    logger,
    onStoreTrouble: toObserver("onStoreTrouble", onStoreTrouble, { clock, logger }),
    meter: options.meter,
    tracer: options.tracer,
    workerNodeId: options.workerNodeId,
    retention: resolveRetention(options.retention),
    limits: checkedLimits("Runtime.start: limits", options.limits),
  };
  checkSettings(settings);
  const { codec = jsonCodec } = options;
  probeCodec(codec);
  return { ...settings, codec: codecOfTurns(codec, settings) };
}

function codecOfTurns(codec: PayloadCodec, { logger, maxPayloadBytes }: ResolvedOptions): NamingCodec {
  return unguardedCodec(limitedCodec(codec, maxPayloadBytes, new LargePayloads(logger)));
}

function withoutUndefined(options: RuntimeOptions): RuntimeOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as RuntimeOptions;
}

/** Returns the pause between two renewals of a lock, ms: half its time. */
export function renewalIntervalMs(timeoutMs: number): number {
  return Math.max(1, Math.floor(timeoutMs / 2));
}

/** Checks the settings with the defaults filled in: an option may be invalid only beside the default of another one. */
function checkSettings(settings: ResolvedOptions): void {
  for (const name of ONE_OR_MORE) checkWholeNumber(name, settings[name], 1);
  for (const name of ZERO_OR_MORE) checkWholeNumber(name, settings[name], 0);
  if (settings.orchestrationConcurrency === 0 && settings.workerConcurrency === 0) {
    throw new ConfigurationError(
      "orchestrationConcurrency and workerConcurrency are both 0, so the runtime would do nothing; raise one of them, or start no runtime",
    );
  }
  const { sessionIdleTimeoutMs, workerLockTimeoutMs, workerTagFilter } = settings;
  if (sessionIdleTimeoutMs <= renewalIntervalMs(workerLockTimeoutMs)) {
    throw new ConfigurationError(
      "sessionIdleTimeoutMs must be longer than half of workerLockTimeoutMs, or busy sessions would count as idle",
    );
  }
  if ("tags" in workerTagFilter) checkTags(workerTagFilter.tags);
}

function checkWholeNumber(name: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new ConfigurationError(`${name} must be a whole number of ${least} or more; got ${shown(value)}`);
}

const ONE_OR_MORE = [
  "longPollTimeoutMs",
  "minPollIntervalMs",
  "orchestratorLockTimeoutMs",
  "workerLockTimeoutMs",
  "sessionLockTimeoutMs",
  "sessionIdleTimeoutMs",
  "maxPayloadBytes",
  "maxAttempts",
] as const satisfies readonly (keyof ResolvedOptions)[];

const ZERO_OR_MORE = [
  "orchestrationConcurrency",
  "workerConcurrency",
  "liveExecutions",
] as const satisfies readonly (keyof ResolvedOptions)[];

function checkTags(tags: readonly unknown[]): void {
  if (tags.length < 1 || tags.length > MAX_WORKER_TAGS) {
    throw new ConfigurationError(`workerTagFilter takes 1 to ${MAX_WORKER_TAGS} tags; got ${tags.length}`);
  }
  const other = tags.find((tag) => typeof tag !== "string");
  if (other !== undefined)
    throw new ConfigurationError(`workerTagFilter: a tag must be a text; got ${shown(other)}`);
  const fault = tags.map((tag) => surrogateFault("workerTagFilter: a tag", tag)).find(Boolean);
  if (fault !== undefined) throw new ConfigurationError(fault);
  const long = tags.find((tag) => utf8Bytes(String(tag)) > MAX_TAG_BYTES);
  if (long !== undefined)
    throw new ConfigurationError(`workerTagFilter: "${long}" is longer than ${MAX_TAG_BYTES} bytes`);
}

/** Runtime options. Their defaults are in options.ts, their checks in option-check.ts. */
import type { Clock, Random } from "../../contract/clock.ts";
import type { LimitRule } from "../../contract/limits.ts";
import type { Provider, TagFilter } from "../../contract/provider.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import type { Logger } from "../../define/logger.ts";
import type { AnyOrchestration } from "../../define/orchestration-context.ts";
import type { Schedule } from "../../define/schedule.ts";
import type { GuardMode } from "../../guard/open-turns.ts";
import type { Meter } from "../../observe/meter.ts";
import type { Tracer } from "../../observe/tracer.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { VersionPolicies } from "../registry.ts";
import type { RetentionOptions } from "./retention-options.ts";

/** The options of `Runtime.start`. Those that end in `Ms` are milliseconds. */
export interface RuntimeOptions {
  readonly provider: Provider;
  readonly orchestrations?: readonly AnyOrchestration[];
  readonly activities?: readonly AnyActivity[];
  /** Schedules that are applied at the start (docs/guide/22-schedules.md). */
  readonly schedules?: readonly Schedule[];
  /** The version that a start without one gets; the newest by default. */
  readonly versionPolicies?: VersionPolicies;

  /** 256. Concurrent turns; 0 runs none. A turn mostly waits for its commit (docs/decisions/waiting.md). */
  readonly orchestrationConcurrency?: number;
  /** 100. Concurrent activities; 0 runs none. JavaScript activities mostly wait (docs/decisions/waiting.md). */
  readonly workerConcurrency?: number;
  /** 30 s. How long one fetch may wait in the store for work. */
  readonly longPollTimeoutMs?: number;
  /** 100 ms. The pause between fetches from a store that does not wait itself. */
  readonly minPollIntervalMs?: number;
  /** 5 s. Like every lock, renewed at half its time. */
  readonly orchestratorLockTimeoutMs?: number;
  /** 30 s. */
  readonly workerLockTimeoutMs?: number;
  /**
   * 10. How often work may end its process, or fail unexpectedly. After that it runs alone in its process; if
   * three such runs end the same way, an activity fails as poison, and a turn blocks its instance
   * (docs/decisions/attempts-and-blocked-work.md).
   */
  readonly maxAttempts?: number;
  /**
   * Fate of an instance whose code does not fit its history: it is blocked until a process with fitting code takes it
   * ("block", the default), or it fails ("fail").
   */
  readonly onNondeterminism?: BlockOrFail;
  /**
   * Fate of work whose handler or version is not registered here: it is blocked until a process that has it takes it
   * ("block", the default), or it is poison after `maxAttempts` ("fail").
   */
  readonly onMissingHandler?: BlockOrFail;
  /** 30 s. */
  readonly sessionLockTimeoutMs?: number;
  /** 5 min. A session without work for this long is released, and orphaned sessions are deleted as often. */
  readonly sessionIdleTimeoutMs?: number;
  /** A stable owner name with which sessions survive a restart. By default each slot is an owner of its own. */
  readonly workerNodeId?: string;
  /** Untagged activities only, by default. */
  readonly workerTagFilter?: TagFilter;

  /**
   * 1000. Executions kept in memory between turns; 0 switches that off. Together they take about a twentieth of the
   * memory that the process may use, container limits included, but 16 to 256 MB; more are dropped earlier.
   */
  readonly liveExecutions?: number;
  /**
   * Effect of a call of `Date.now()`, `Math.random()`, `fetch()` and their like in orchestration code: it throws
   * ("error", the default), it is logged ("warning"), or nothing ("off").
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
   * Called when the store begins to fail, and once a minute while it does. With `permanent` the runtime keeps
   * retrying, but waiting alone will not help: end the process, or close and open the provider.
   */
  readonly onStoreTrouble?: (trouble: StoreTrouble) => void;
  /**
   * False. Whether the events of calls name the line of code that made them (`orders.ts:36:25`), for
   * `client.admin.timeline` and the tools. Replay and Rust workers ignore it. It takes about 36 bytes and 40 µs for each
   * call, and the lines are those of the files that run: without source maps, those of compiled code
   * (docs/decisions/command-line.md).
   */
  readonly sourceLines?: boolean;
  /**
   * True. Whether the runtime reports itself for `client.admin.workers`, with its host, process id and handlers: one
   * small write at its start and every 30 s, if the store keeps reports (docs/decisions/queries.md).
   */
  readonly reportWorker?: boolean;
  /**
   * Nothing is deleted by default. Deletes ended instances and old executions, some at a time, such as
   * `{ completed: { days: 7 }, failed: { days: 30 }, keepExecutions: 2 }` (docs/operate/changes-by-hand.md).
   */
  readonly retention?: RetentionOptions;
  /**
   * Rules of limits by key, such as `{ partner: { concurrency: 5 } }`, stored before the first work is fetched. A rule
   * that operators have changed since stays until this one changes, and one that is left out stays
   * (docs/guide/21-limits.md).
   */
  readonly limits?: Readonly<Record<string, LimitRule>>;
  /**
   * Structured entries with a field `event`. A pino logger fits. By default warnings and errors go to stderr
   * (`stderrLogger`); `silentLogger` writes nothing (docs/observability.md). A logger, meter, tracer or callback that
   * fails changes no outcome.
   */
  readonly logger?: Logger;
  /** Meter of @opentelemetry/api: switches the metrics on. */
  readonly meter?: Meter;
  /** Tracer of @opentelemetry/api: switches the spans on, and lets traces travel through the store. */
  readonly tracer?: Tracer;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** The argument of `onStoreTrouble`. */
export interface StoreTrouble {
  readonly error: unknown;
  /**
   * Waiting does not help: a wrong key, a missing container, a damaged or closed store. A full store is not
   * permanent: work continues when there is room.
   */
  readonly permanent: boolean;
  /** Time of the first failure of this trouble, ms since the epoch. */
  readonly sinceMs: number;
}

/** Treatment of work that a runtime cannot run. */
export type BlockOrFail = "block" | "fail";

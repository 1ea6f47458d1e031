/** Prepares an execution of the current code for a stored history. */
import type { Clock } from "../../contract/clock.ts";
import type { KvEntry } from "../../contract/provider.ts";
import { silentLogger } from "../../define/logger.ts";
import { ConfigurationError } from "../../errors/duroxide-error.ts";
import type { GuardPolicy } from "../../guard/open-turns.ts";
import { LargePayloads } from "../../payload/large-payloads.ts";
import { limitedCodec } from "../../payload/limited-codec.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { unguardedCodec } from "../../replay/code/unguarded-codec.ts";
import type { OrchestrationRegistry } from "../../runtime/registry.ts";
import type { EventOf, HistoryEvent } from "../../wire/event.ts";
import { saturatedNumber } from "../../wire/integer.ts";
import { NO_VERSION } from "../../wire/version.ts";
import type { StoredExecution } from "./stored-executions.ts";
import { TracedExecution } from "./traced-execution.ts";

/** How the runtime that wrote the history encoded payloads. Code sees what is refused. */
export interface PayloadRules {
  readonly codec: PayloadCodec;
  /** No limit without it. */
  readonly maxPayloadBytes?: number;
}

/** An execution of the stored one's program, before its first event. */
export function trace(
  { instanceId, executionId, started, events }: StoredExecution,
  registry: OrchestrationRegistry,
  { codec, maxPayloadBytes = Number.POSITIVE_INFINITY }: PayloadRules,
  kvSnapshot: ReadonlyMap<string, KvEntry>,
): TracedExecution {
  const program = registry.resolve(started.name, started.version === NO_VERSION ? null : started.version);
  if (program === undefined) throw notGiven(started);
  const clock = standingClock(events);
  return new TracedExecution({
    identity: { instanceId, executionId, program },
    surroundings: {
      clock,
      codec: unguardedCodec(limitedCodec(codec, maxPayloadBytes, new LargePayloads(silentLogger))),
      logger: silentLogger,
      guard: GUARD,
    },
    kvSnapshot,
  });
}

/** A nondeterministic call throws, as in a runtime. */
const GUARD: GuardPolicy = { mode: "error", warn: () => {} };

function notGiven({ name, version, instance_id }: EventOf<"OrchestrationStarted">): ConfigurationError {
  return new ConfigurationError(
    `instance "${instance_id}" runs orchestration "${name}" ${version}, which is not among those given; ` +
      "keep a version registered for as long as instances of it run",
  );
}

/** A clock that always returns the time of the last event, because a replay does not wait. */
function standingClock(events: readonly HistoryEvent[]): Clock {
  const nowMs = saturatedNumber(events.at(-1)?.timestamp_ms ?? 0);
  return { now: () => nowMs, schedule: () => () => {} };
}

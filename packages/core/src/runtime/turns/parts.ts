/** The parts that the dispatchers of one runtime share. */
import type { ActivityId } from "../../contract/provider.ts";
import type { GuardPolicy } from "../../guard/open-turns.ts";
import type { HeldLocks } from "../locks/held-locks.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { OrchestrationRegistry } from "../registry.ts";
import type { InHand } from "../running/in-hand.ts";
import type { BlockedLog } from "../trouble/blocked-log.ts";
import type { LoneRuns } from "../trouble/lone-runs.ts";
import type { LoopWatch } from "../trouble/loop-watch.ts";
import type { LostEventLog } from "../trouble/lost-events.ts";
import type { StoreHealth } from "../trouble/store-health.ts";
import type { StrayExecutions } from "../trouble/stray-executions.ts";
import type { ExecutionCache } from "./execution-cache.ts";
import type { ScheduleMemory } from "./schedule-memory.ts";
import type { TraceStamps } from "./stamp-trace.ts";
import type { StepMemory } from "./step-memory.ts";
import type { TurnSlots } from "./turn-slots.ts";

export interface DispatcherParts {
  readonly settings: RuntimeSettings;
  readonly health: StoreHealth;
  readonly loneRuns: LoneRuns;
  readonly locks: HeldLocks;
  readonly inHand: InHand;
  readonly loopWatch: LoopWatch;
  readonly blockedLog: BlockedLog;
  /** Aborts when a shutdown stops waiting for work in flight. */
  readonly graceOver: AbortSignal;
}

export interface RuntimeParts extends DispatcherParts {
  readonly registry: OrchestrationRegistry;
  readonly cache: ExecutionCache;
  readonly guard: GuardPolicy;
  readonly strayExecutions: StrayExecutions;
  readonly stamps: TraceStamps;
  readonly lostEvents: LostEventLog;
  readonly turnSlots: TurnSlots;
  readonly steps: StepMemory;
  readonly schedules: ScheduleMemory;
  /** The key of the limits of an activity that is registered here. */
  readonly limitOfActivity: (name: string) => string | undefined;
  /** Cancels the runs of these activities in this process, because their results are no longer needed. */
  readonly onActivitiesCancelled: (ids: readonly ActivityId[]) => void;
}

/** What the dispatchers of one runtime share. */
import type { ActivityId } from "../contract/provider.ts";
import type { GuardPolicy } from "../guard/open-turns.ts";
import type { ExecutionCache } from "./execution-cache.ts";
import type { LostEventLog } from "./lost-events.ts";
import type { RuntimeSettings } from "./options.ts";
import type { OrchestrationRegistry } from "./registry.ts";

export interface RuntimeParts {
  readonly settings: RuntimeSettings;
  readonly registry: OrchestrationRegistry;
  readonly cache: ExecutionCache;
  readonly guard: GuardPolicy;
  readonly lostEvents: LostEventLog;
  /** Aborts when a shutdown waits for nobody any more. */
  readonly graceOver: AbortSignal;
  /** Tells the workers of this process which activities nobody wants any more. */
  readonly onActivitiesCancelled: (ids: readonly ActivityId[]) => void;
}

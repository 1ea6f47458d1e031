/** What the dispatchers of one runtime share. */
import type { ActivityId } from "../contract/provider.ts";
import type { GuardPolicy } from "../guard/open-turns.ts";
import type { StrayCode } from "../replay/stray-code.ts";
import type { ExecutionCache } from "./execution-cache.ts";
import type { RuntimeSettings } from "./options.ts";
import type { OrchestrationRegistry } from "./registry.ts";

export interface RuntimeParts {
  readonly settings: RuntimeSettings;
  readonly registry: OrchestrationRegistry;
  readonly cache: ExecutionCache;
  readonly guard: GuardPolicy;
  /** Orchestration code went on although no turn was running. */
  readonly onStrayCode: (stray: StrayCode) => void;
  /** Aborts when a shutdown waits for nobody any more. */
  readonly graceOver: AbortSignal;
  /** Tells the workers of this process which activities nobody wants any more. */
  readonly onActivitiesCancelled: (ids: readonly ActivityId[]) => void;
}

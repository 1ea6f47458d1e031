/** The catalogue, group by group (docs/reference/upstream/validation-catalogue.md). */
import type { ProviderCase } from "../case.ts";
import { atomicity } from "./atomicity.ts";
import { bulkDeletion } from "./bulk-deletion.ts";
import { cancellation } from "./cancellation.ts";
import { capabilityFiltering } from "./capability-filtering.ts";
import { customStatus } from "./custom-status.ts";
import { deletionSingle } from "./deletion-single.ts";
import { deletionTrees } from "./deletion-trees.ts";
import { errorHandling } from "./error-handling.ts";
import { instanceCreation } from "./instance-creation.ts";
import { instanceLocking } from "./instance-locking.ts";
import { kvExecutions } from "./kv-executions.ts";
import { kvLifetime } from "./kv-lifetime.ts";
import { kvSnapshots } from "./kv-snapshots.ts";
import { kvValues } from "./kv-values.ts";
import { lockExpiration } from "./lock-expiration.ts";
import { longPolling } from "./long-polling.ts";
import { management } from "./management.ts";
import { multiExecution } from "./multi-execution.ts";
import { poisonMessage } from "./poison-message.ts";
import { prune } from "./prune.ts";
import { queueSemantics } from "./queue-semantics.ts";
import { raceReplayDecisions } from "./race-replay-decisions.ts";
import { raceReplaySuccessors } from "./race-replay-successors.ts";
import { raceReplayTransitions } from "./race-replay-transitions.ts";
import { sessionsAffinity } from "./sessions-affinity.ts";
import { sessionsExpiry } from "./sessions-expiry.ts";
import { sessionsUpkeep } from "./sessions-upkeep.ts";
import { tagFiltering } from "./tag-filtering.ts";

export const catalogue: readonly ProviderCase[] = [
  ...atomicity,
  ...errorHandling,
  ...instanceCreation,
  ...instanceLocking,
  ...lockExpiration,
  ...multiExecution,
  ...queueSemantics,
  ...cancellation,
  ...poisonMessage,
  ...capabilityFiltering,
  ...customStatus,
  ...tagFiltering,
  ...sessionsAffinity,
  ...sessionsExpiry,
  ...sessionsUpkeep,
  ...kvValues,
  ...kvExecutions,
  ...kvSnapshots,
  ...kvLifetime,
  ...management,
  ...deletionSingle,
  ...deletionTrees,
  ...bulkDeletion,
  ...prune,
  ...longPolling,
  ...raceReplaySuccessors,
  ...raceReplayTransitions,
  ...raceReplayDecisions,
];

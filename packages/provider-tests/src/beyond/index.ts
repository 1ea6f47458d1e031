/**
 * Behaviours that the catalogue lacks: mostly hazards of docs/reference/upstream/cosmos-hazards.md that can be tested.
 */
import type { ProviderCase } from "../case.ts";
import { activities } from "./activities.ts";
import { badArguments } from "./arguments.ts";
import { blockedActivities } from "./blocked-activities.ts";
import { blockedWork } from "./blocked-work.ts";
import { cancelledActivities } from "./cancelled-activities.ts";
import { closing } from "./closing.ts";
import { deadlines } from "./deadlines.ts";
import { debouncedStarts } from "./debounced-starts.ts";
import { delayedStarts } from "./delayed-starts.ts";
import { deleting } from "./deleting.ts";
import { droppedTimers } from "./dropped-timers.ts";
import { earlyMessages } from "./early-messages.ts";
import { executions } from "./executions.ts";
import { faults } from "./faults.ts";
import { fencing } from "./fencing.ts";
import { fusedRefusals } from "./fused-refusals.ts";
import { fusedTurns } from "./fused-turns.ts";
import { heldTurns } from "./held-turns.ts";
import { historyTags } from "./history-tags.ts";
import { identifiers } from "./identifiers.ts";
import { input } from "./input.ts";
import { inspection } from "./inspection.ts";
import { keyValues } from "./key-values.ts";
import { large } from "./large.ts";
import { leases } from "./leases.ts";
import { limits } from "./limits.ts";
import { lives } from "./lives.ts";
import { messageIds } from "./message-ids.ts";
import { messagesOfOthers } from "./messages-of-others.ts";
import { missingInstances } from "./missing-instances.ts";
import { orderOfMany } from "./order-of-many.ts";
import { orderTime } from "./order-time.ts";
import { ordering } from "./ordering.ts";
import { partialCommits } from "./partial-commits.ts";
import { polling } from "./polling.ts";
import { pollingDue } from "./polling-due.ts";
import { pollingEnds } from "./polling-ends.ts";
import { pollingRivals } from "./polling-rivals.ts";
import { progress } from "./progress.ts";
import { pruning } from "./pruning.ts";
import { queries } from "./queries.ts";
import { deadLetters, queryWork, workers } from "./query-work.ts";
import { reading } from "./reading.ts";
import { returnedMessages } from "./returned-messages.ts";
import { revisions } from "./revisions.ts";
import { severalProviders } from "./several-providers.ts";
import { sharedSessions } from "./shared-sessions.ts";
import { starts } from "./starts.ts";
import { starvation } from "./starvation.ts";
import { streamLives } from "./stream-lives.ts";
import { streams } from "./streams.ts";
import { suspensions } from "./suspensions.ts";
import { tags } from "./tags.ts";
import { undecodable } from "./undecodable.ts";
import { versionFilters } from "./versions.ts";

export const beyondTheCatalogue: readonly ProviderCase[] = [
  ...fencing,
  ...partialCommits,
  ...leases,
  ...deadlines,
  ...ordering,
  ...orderOfMany,
  ...orderTime,
  ...returnedMessages,
  ...messageIds,
  ...missingInstances,
  ...starts,
  ...starvation,
  ...messagesOfOthers,
  ...earlyMessages,
  ...executions,
  ...versionFilters,
  ...keyValues,
  ...faults,
  ...identifiers,
  ...large,
  ...deleting,
  ...lives,
  ...pruning,
  ...severalProviders,
  ...sharedSessions,
  ...limits,
  ...activities,
  ...cancelledActivities,
  ...droppedTimers,
  ...blockedWork,
  ...blockedActivities,
  ...input,
  ...badArguments,
  ...historyTags,
  ...heldTurns,
  ...fusedTurns,
  ...fusedRefusals,
  ...revisions,
  ...suspensions,
  ...streams,
  ...streamLives,
  ...progress,
  ...tags,
  ...delayedStarts,
  ...debouncedStarts,
  ...reading,
  ...inspection,
  ...queries,
  ...queryWork,
  ...deadLetters,
  ...workers,
  ...undecodable,
  ...polling,
  ...pollingDue,
  ...pollingEnds,
  ...pollingRivals,
  ...closing,
];

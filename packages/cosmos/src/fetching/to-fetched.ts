/** Turns a locked instance into the fetched item of the contract (docs/reference/provider-contract.md §6). */
import type { HistoryEvent } from "@duroxide-ts/core";
import { type FetchedOrchestration, type OrchestratorItem, saturatedNumber } from "@duroxide-ts/core/stores";
import { toBlocked } from "../documents/blocked.ts";
import type { MessageRow } from "../documents/rows.ts";
import { formatInstanceToken } from "../leases/lock-token.ts";
import type { TurnLease } from "../memory/held.ts";
import type { Loaded } from "./load-history.ts";

/** `loaded` is absent if the caller holds the history. */
export function toFetched(
  turn: TurnLease,
  rows: readonly MessageRow[],
  loaded: Loaded | undefined,
): FetchedOrchestration {
  const { instanceId, instance, secret, lockedUntilMs } = turn;
  const { alone = [], blocked } = instance.notes;
  const messages = rows.map(({ item }) => item);
  const loneRuns = Math.max(0, ...rows.map((row) => alone.filter((id) => id === row.id).length));
  return {
    item: {
      instanceId,
      ...identityOf(turn, loaded?.history ?? [], messages),
      executionId: saturatedNumber(instance.document.currentExecutionId),
      messages,
      ...(loaded === undefined
        ? { history: [], kvSnapshot: new Map(), historyOmitted: true }
        : { ...loaded }),
    },
    lockToken: formatInstanceToken({ instanceId, secret }),
    attemptCount: Math.max(...turn.rows.map(({ attempts }) => attempts)),
    lockedUntilMs,
    ...(loneRuns > 0 && { loneRuns }),
    ...(blocked !== undefined && { blocked: toBlocked({ instanceId, blocked }) }),
  };
}

function identityOf(
  { instance: { document } }: TurnLease,
  history: readonly HistoryEvent[],
  messages: readonly OrchestratorItem[],
): { readonly orchestrationName: string; readonly version: string } {
  const { orchestrationName: name, orchestrationVersion: version } = document;
  if (name !== "") return { orchestrationName: name, version };
  const [first] = history;
  if (first?.type === "OrchestrationStarted")
    return { orchestrationName: first.name, version: first.version };
  const start = messages.find(isStart);
  return { orchestrationName: start?.orchestration ?? "", version: versionIn(messages) };
}

function versionIn(messages: readonly OrchestratorItem[]): string {
  return messages.find(isStart)?.version ?? "unknown";
}

type Start = Extract<OrchestratorItem, { kind: "StartOrchestration" | "ContinueAsNew" }>;

export function isStart(item: OrchestratorItem): item is Start {
  return item.kind === "StartOrchestration" || item.kind === "ContinueAsNew";
}

/** What a locked instance looks like to the runtime (docs/reference/provider-contract.md §6, item fields). */
import {
  type FetchedOrchestration,
  type HistoryEvent,
  type OrchestratorItem,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import { formatInstanceToken } from "../lock-token.ts";
import { toBlocked } from "../schema/blocked.ts";
import type { MessageRow } from "../schema/rows.ts";
import type { HeldTurn } from "./held-turn.ts";
import type { Loaded } from "./load-history.ts";

/** `loaded` is absent where the caller holds the history. */
export function toFetched(
  turn: HeldTurn,
  rows: readonly MessageRow[],
  loaded: Loaded | undefined,
): FetchedOrchestration {
  const { instanceId, instance, secret, lockedUntilMs } = turn;
  const { alone = [], blocked } = instance.notes;
  const messages = rows.map(({ item }) => item);
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
    ...(rows.some(({ id }) => alone.includes(id)) && { ranAlone: true }),
    ...(blocked !== undefined && { blocked: toBlocked({ instanceId, blocked }) }),
  };
}

function identityOf(
  { instance: { document } }: HeldTurn,
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

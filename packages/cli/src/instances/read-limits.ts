/** The rules of limits with what they hold back. */
import type { Client, LimitStatus, LimitSummary } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/client";
import { limitText } from "@duroxide-ts/core/operate";
import type { Column } from "../output/table.ts";
import { count, shortTime, span, zoneOf } from "../text/times.ts";

/** A rule, and how long the oldest work under its key has waited, ms. */
export interface ListedLimit extends LimitSummary {
  readonly oldestWaitingMs: number;
}

export async function readLimits({ limits }: Pick<Client, "limits">): Promise<readonly ListedLimit[]> {
  const rules = await limits.list();
  return Promise.all(
    rules.map(async (rule) => {
      const { oldestWaitingMs } = rule.waiting === 0 ? { oldestWaitingMs: 0 } : await limits.get(rule.key);
      return { ...rule, oldestWaitingMs };
    }),
  );
}

/** The same; none where the store has no limits. */
export async function readLimitsIfAny(client: Pick<Client, "limits">): Promise<readonly ListedLimit[]> {
  try {
    return await readLimits(client);
  } catch (error) {
    if (ProviderError.is(error, "unsupported")) return [];
    throw error;
  }
}

export function limitColumns(nowMs: number): readonly Column<ListedLimit>[] {
  return [
    { head: "KEY", cell: ({ key }) => key, flexible: true },
    { head: "LIMIT", cell: ({ key, limits }) => limitText(key, limits), flexible: true },
    { head: "RUNNING", cell: ({ running }) => count(running), right: true },
    { head: "WAITING", cell: ({ waiting }) => count(waiting), right: true },
    {
      head: "OLDEST",
      cell: ({ waiting, oldestWaitingMs }) => (waiting === 0 ? "-" : span(oldestWaitingMs)),
      right: true,
    },
    { head: `CHANGED ${zoneOf(nowMs)}`, cell: ({ changedAtMs }) => shortTime(changedAtMs, nowMs) },
    { head: "BY", cell: ({ by }) => by ?? "-", flexible: true },
    { head: "REASON", cell: ({ reason }) => reason ?? "-", flexible: true },
  ];
}

/** Fields of one key for people. */
export function limitFields(
  key: string,
  { limits, running, waiting, oldestWaitingMs }: LimitStatus,
): readonly (readonly [name: string, value: string])[] {
  return [
    ["key", key],
    ["limit", limitText(key, limits)],
    ["running", count(running)],
    ["waiting", count(waiting)],
    ["oldest", waiting === 0 ? "-" : span(oldestWaitingMs)],
  ];
}

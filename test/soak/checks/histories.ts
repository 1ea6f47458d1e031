/** The stored histories of instances that have ended, and of their children. */
import type { Admin, HistoryEvent } from "@duroxide-ts/core";
import { isTerminal } from "@duroxide-ts/core/stores";
import { violationsInHistory } from "../../support/history-invariants.ts";

export async function wrongHistories(
  admin: Admin,
  instanceIds: readonly string[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const instanceId of instanceIds) {
    const { allIds } = await admin.tree(instanceId);
    for (const id of allIds) wrong.push(...(await wrongHistoriesOf(admin, id)));
  }
  return wrong;
}

async function wrongHistoriesOf(admin: Admin, instanceId: string): Promise<readonly string[]> {
  const executions = await admin.executions(instanceId);
  const histories = executions.map(async (execution) => {
    const events = await admin.history(instanceId, execution);
    return wrongHistory(`${instanceId}#${execution}`, events);
  });
  return (await Promise.all(histories)).flat();
}

/** Every execution of an instance that has ended has ended itself. */
export function wrongHistory(key: string, events: readonly HistoryEvent[]): readonly string[] {
  const isOpen = !events.some(isTerminal);
  return [...(isOpen ? [`${key}: has no end`] : []), ...violationsInHistory(key, events)];
}

/** Takes back a lone run whose lock was lost (docs/reference/provider-contract.md §8.2). */
import { checkLockToken } from "../../../stores/arguments.ts";
import type { Store } from "../store.ts";

export function withdrawLoneRun(store: Store, lockToken: string): void {
  checkLockToken("withdrawLoneRun", lockToken);
  const row = store.activities.find(({ loneTokens }) => loneTokens.includes(lockToken));
  if (row === undefined) return;
  row.loneTokens = row.loneTokens.filter((token) => token !== lockToken);
}

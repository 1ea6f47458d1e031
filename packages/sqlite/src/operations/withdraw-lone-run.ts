/** Takes back a lone run whose lock was lost (docs/reference/provider-contract.md §8.2). */
import type { WriteOperation } from "../commit/transaction.ts";
import { parseLockToken } from "../rows/lock-token.ts";

const WITHDRAW = "UPDATE worker_queue SET ran_alone = max(0, ran_alone - 1) WHERE id = ?";

/**
 * Without the secret of the token, because another fetch may have locked the row. SQLite may give the key of a deleted
 * row to a later activity; should that one have lone runs, it runs alone once more.
 */
export function withdrawLoneRun(lockToken: string): WriteOperation<void> {
  const { key } = parseLockToken("withdrawLoneRun", lockToken);
  return (tx) => {
    tx.db.run(WITHDRAW, key);
  };
}

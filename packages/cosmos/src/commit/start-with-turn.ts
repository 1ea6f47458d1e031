/**
 * A start that waits for the commit of its first turn instead of being stored before it
 * (docs/decisions/cosmos-turns.md), if a fetch of this process waits for such a turn.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import type { Body } from "../documents/body.ts";
import { type NewRow, newMessageRow } from "../documents/rows.ts";
import { storeUnborn } from "../leases/unborn-turn.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { UnstoredStart } from "../memory/unstored-start.ts";
import { WRITE_PATIENCE_MS } from "../memory/waits.ts";
import { TurnClaim } from "./claim-turn.ts";

interface NewStart {
  /** Receipt of the start, if another instance has sent it. */
  readonly receipt?: Body | undefined;
  /** Its id was drawn for it. */
  readonly isNewId?: boolean;
}

/** Whether the start is stored. If not, nothing is stored, and the turn cannot be committed any more. */
export async function startWithTurn(
  parts: Parts,
  operation: string,
  row: NewRow<OrchestratorItem>,
  { receipt, isNewId }: NewStart,
): Promise<boolean> {
  // A first turn that ends its process does so once only: a name whose first turn was never committed is stored first.
  const { item } = row;
  if (item.kind !== "StartOrchestration" || !parts.memory.firstTurns.has(item.orchestration)) return false;
  using claim = TurnClaim.forMessage(parts, row.instanceId, newMessageRow(row), isNewId);
  if (claim === undefined) return false;
  const start = new UnstoredStart(receipt);
  if (!claim.handOutUnstored(start)) return false;
  try {
    const decision = await start.decision;
    if (decision !== "late") return decision === "committed";
    return await storeUnborn(new Work(parts, operation, WRITE_PATIENCE_MS), claim.lock, row, receipt);
  } finally {
    start.end();
  }
}

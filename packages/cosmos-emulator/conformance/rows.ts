/** All rows that a check can name as its evidence. */
import { BEHAVIOUR_ROWS } from "./rows/behaviour.ts";
import { RECORDED_ROWS } from "./rows/recorded.ts";
import type { Row } from "./rows/row.ts";
import { WIRE_ROWS } from "./rows/wire.ts";

export const ROWS = { ...WIRE_ROWS, ...BEHAVIOUR_ROWS, ...RECORDED_ROWS };

/** The section of docs/reference/cosmos-protocol.md and a word or two. */
export type RowId = keyof typeof ROWS;

/** Names a row for a failure or a table: `cosmos-protocol §1.6 success [SVC]`. */
export function evidenceText(id: RowId): string {
  const { mark }: Row = ROWS[id];
  return id.startsWith("recorded") ? `${id} [${mark}, xo/dbimp]` : `cosmos-protocol §${id} [${mark}]`;
}

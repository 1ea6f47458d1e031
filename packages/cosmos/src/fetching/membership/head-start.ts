/**
 * Chooses the process of a team that tries a row first, because processes that try the same row at the same time pay
 * for an attempt each (docs/decisions/idle-cost.md).
 *
 * - head-start.H1: Each instance has one preferred process: the first one in the order of the hash of process and
 *   instance. It tries its rows before those of the others.
 * - head-start.H2: The others leave a row to it until the row has been visible for 200 ms, and try it then. So no row
 *   depends on whether its preferred process is alive, searches or has room, and processes that know different members
 *   differ in cost only.
 * - head-start.H3: A row that only this process may lock is tried at once.
 * - head-start.H4: A process that is the first to query a physical partition in an interval (turns.ts) tries at once
 *   what it finds there, because the others query elsewhere.
 */
import { HEAD_START_MS } from "../../memory/waits.ts";
import { hashOf, mix } from "./hash.ts";
import { isAmongFirst, type Team } from "./team.ts";

export interface FoundRow {
  readonly instanceId: string;
  readonly visibleAtMs: number;
  /** Only this process may lock it: it is of a session that this process owns. */
  readonly isBound?: boolean;
}

/** Whether this process tries the row first (head-start.H1, head-start.H3). */
export function isPreferred(team: Team, { instanceId, isBound = false }: FoundRow): boolean {
  return isBound || isAmongFirst(1, team, mix(hashOf(instanceId)));
}

/** Returns the time at which a process that is not preferred tries the row (head-start.H2), ms since the epoch. */
export function headStartEndMs({ visibleAtMs }: FoundRow): number {
  return visibleAtMs + HEAD_START_MS;
}

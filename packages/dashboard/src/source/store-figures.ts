/**
 * Reads the figures of the store for `/metrics` and `/health`. Both share one read, which is kept for `KEPT_MS`, so
 * that a store that charges by request is not asked more often the more places probe it. No count of all that is stored
 * is among its requests.
 */
import type { Admin, Clock, QueueDepths } from "@duroxide-ts/core";
import type { Kept } from "./kept.ts";

const KEPT_MS = 10_000;
/** Dead letters beyond are not counted. */
const MOST_LETTERS = 1_000;

export interface StoreFigures extends QueryFigures {
  readonly depths: QueueDepths;
  /** How long the store took to answer. */
  readonly tookMs: number;
  readonly asOfMs: number;
}

interface QueryFigures {
  /** How long the oldest row is due that no process has taken; absent if there is none. */
  readonly oldestDueMs?: number;
  readonly workers: number;
  readonly deadLetters: number;
}

interface Asked {
  readonly admin: Admin;
  readonly clock: Clock;
}

export function keptUntilMs({ asOfMs }: StoreFigures): number {
  return asOfMs + KEPT_MS;
}

/** Rejects with the error of the store. */
export function storeFigures({
  figures,
  ...asked
}: Asked & { readonly figures: Kept<StoreFigures> }): Promise<StoreFigures> {
  return figures.read(asked.clock, () => readFigures(asked));
}

async function readFigures(asked: Asked): Promise<StoreFigures> {
  const { admin, clock } = asked;
  const startedAtMs = clock.now();
  const [depths, found] = await Promise.all([admin.queueDepths(), queryFigures(asked)]);
  const asOfMs = clock.now();
  return {
    depths,
    ...found,
    tookMs: asOfMs - startedAtMs,
    asOfMs,
  };
}

async function queryFigures({ admin, clock }: Asked): Promise<QueryFigures> {
  const [{ work }, workers, { deadLetters }] = await Promise.all([
    admin.work({ overdueByMs: 0, limit: 1 }),
    admin.workers(),
    admin.deadLetters({ limit: MOST_LETTERS }),
  ]);
  const [row] = work;
  return {
    ...(row !== undefined && { oldestDueMs: Math.max(0, clock.now() - row.visibleAtMs) }),
    workers: workers.length,
    deadLetters: deadLetters.length,
  };
}

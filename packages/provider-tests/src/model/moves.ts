/** The moves of a random script, and their weights. */
import fc, { type Arbitrary } from "fast-check";
import type { Durations } from "./durations.ts";
import { ackFusedMove } from "./fused-moves.ts";
import { deleteMove, pruneMove, readMove, readStoreMove } from "./instance-moves.ts";
import { abandonMove, enqueueMove, fetchMove, plainFetchMove, pokeMove, renewMove } from "./queue-moves.ts";
import type { CallMove, FetchChoice } from "./situation.ts";
import { ackMove } from "./turn-moves.ts";
import {
  abandonWorkMove,
  ackWorkMove,
  cleanUpMove,
  enqueueWorkMove,
  fetchWorkMove,
  renewSessionsMove,
  renewWorkMove,
} from "./work-moves.ts";

/** A line of a script: concurrent calls, or time that passes. */
export type Move =
  | { readonly kind: "calls"; readonly calls: readonly CallMove[] }
  | { readonly kind: "pass"; readonly ms: number };

export function aMove(durations: Durations): Arbitrary<Move> {
  const alone = fc.oneof(...callMoves(durations), ...adminMoves(durations));
  const atOnce = fc.array(fc.oneof(...callMoves(durations)), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 24, arbitrary: alone.map((move): Move => ({ kind: "calls", calls: [move] })) },
    { weight: 3, arbitrary: atOnce.map((calls): Move => ({ kind: "calls", calls })) },
    ...durations.passes.map((ms) => ({ weight: 1, arbitrary: fc.constant<Move>({ kind: "pass", ms }) })),
  );
}

/** A call that advances the work of an instance, because purely random scripts rarely make progress. */
function progressMove(durations: Durations): Arbitrary<CallMove> {
  const steps = fc.tuple(ackMove(durations), plainFetchMove(durations), pokeMove());
  return steps.map(([ack, fetch, poke]) => (situation) => {
    if (situation.orchestration(LATEST_HELD) !== undefined) return ack(situation);
    return situation.hasDue() ? fetch(situation) : poke(situation);
  });
}

const LATEST_HELD: FetchChoice = { isHeld: true, age: 0 };

interface Weighted {
  readonly weight: number;
  readonly arbitrary: Arbitrary<CallMove>;
}

function callMoves(durations: Durations): readonly Weighted[] {
  return [
    { weight: 24, arbitrary: progressMove(durations) },
    { weight: 8, arbitrary: enqueueMove(durations) },
    { weight: 10, arbitrary: fetchMove(durations) },
    { weight: 10, arbitrary: ackMove(durations) },
    { weight: 2, arbitrary: renewMove(durations) },
    { weight: 3, arbitrary: abandonMove(durations) },
    { weight: 3, arbitrary: enqueueWorkMove() },
    { weight: 7, arbitrary: fetchWorkMove(durations) },
    { weight: 4, arbitrary: ackWorkMove() },
    { weight: 6, arbitrary: ackFusedMove(durations) },
    { weight: 2, arbitrary: renewWorkMove(durations) },
    { weight: 2, arbitrary: abandonWorkMove(durations) },
    { weight: 1, arbitrary: renewSessionsMove(durations) },
    { weight: 1, arbitrary: cleanUpMove() },
    { weight: 3, arbitrary: readMove() },
  ];
}

/** Never concurrent with other calls, because a call for many instances need not be atomic. */
function adminMoves(durations: Durations): readonly Weighted[] {
  return [
    { weight: 3, arbitrary: deleteMove(durations) },
    { weight: 1, arbitrary: pruneMove(durations) },
    { weight: 1, arbitrary: readStoreMove() },
  ];
}

/** Runs random moves on a fresh store, and at the end checks all data that is left in it. */
import type { CaseContext } from "../context.ts";
import { callOf } from "./call.ts";
import { INSTANCES } from "./choices.ts";
import type { Durations } from "./durations.ts";
import { readsOf, readsOfStore } from "./instance-moves.ts";
import type { Move } from "./moves.ts";
import { Script } from "./script.ts";
import type { CallMove } from "./situation.ts";
import { OWNERS } from "./work-moves.ts";

/** Throws a Disagreement if the store and the reference differ. */
export async function play(
  context: CaseContext,
  moves: readonly Move[],
  durations: Durations,
): Promise<void> {
  const another = context.store.openAnother === undefined ? context : await context.openAnother();
  const script = new Script(context, { one: context.provider, two: another.provider });
  for (const move of moves) {
    if (move.kind === "pass") await script.pass(move.ms);
    else await make(script, move.calls);
  }
  await lookAtEverything(script, durations);
}

const TURNS: readonly string[] = ["ackOrchestrationItem", "ackFusedTurn"];

async function make(script: Script, moves: readonly CallMove[]): Promise<void> {
  const { situation } = script;
  const calls = moves.flatMap((choose) => choose(situation) ?? []);
  // What two concurrent turns send may arrive in different orders, if their commits are several calls.
  const turns = calls.filter(({ method }) => TURNS.includes(method));
  const made = situation.isOneStep
    ? calls
    : calls.filter((call) => call === turns[0] || !turns.includes(call));
  if (made.length > 0) await script.perform(made);
}

/** Checks that nothing is lost: all rows of the reference are delivered when they are due. */
async function lookAtEverything(script: Script, { leases, passes }: Durations): Promise<void> {
  const reads = INSTANCES.flatMap((id) => readsOf("one", id));
  const all = [...reads, ...readsOfStore("one")];
  for (const read of all) await script.perform([read]);
  const longestMs = 2 * Math.max(...leases, ...passes);
  for (const caller of ["one", "two"] as const) {
    const live = { ownerIds: OWNERS[caller], extendMs: 0, idleTimeoutMs: longestMs };
    await script.perform([callOf(caller, "renewSessionLocks", live)]);
  }
  if (passes.length > 0) await script.pass(longestMs);
  await script.perform([callOf("one", "cleanupOrphanedSessions")]);
  const options = { lockTimeoutMs: Math.max(...leases), pollTimeoutMs: 0 };
  const tagFilter = { kind: "any" } as const;
  const session = { ownerId: "w5", lockTimeoutMs: options.lockTimeoutMs };
  await untilNothing(() => script.perform([callOf("one", "fetchOrchestrationItem", options)]));
  await untilNothing(() =>
    script.perform([callOf("one", "fetchWorkItem", { ...options, tagFilter, session })]),
  );
}

type Answers = Awaited<ReturnType<Script["perform"]>>;

async function untilNothing(fetch: () => Promise<Answers>): Promise<void> {
  for (;;) {
    const [answer] = await fetch();
    if (answer?.kind !== "returned" || answer.value === undefined) return;
  }
}

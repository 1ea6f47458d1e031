/** Calls that a runtime makes for its sessions from time to time. */

import { LOCK_MS, type Stage } from "../../support/stage.ts";
import { begin, carryOut, finishWork, mustWork } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";

const SESSIONS = ["s", "t"];

/** Two sessions whose activities are done. */
async function useSessions(stage: Stage, lockMs: number): Promise<void> {
  await begin(stage, "a");
  await carryOut(stage, "a", {
    activities: SESSIONS.map((session) => ({ label: `in ${session}`, session })),
  });
  for (const _ of SESSIONS) await finishWork(stage, await mustWork(stage, lockMs));
}

export const sessions: readonly Operation[] = [
  operation({
    name: "renewal of sessions",
    prepare: (stage) => useSessions(stage, LOCK_MS),
    act: ({ provider }) =>
      provider.renewSessionLocks({ ownerIds: ["first"], extendMs: LOCK_MS, idleTimeoutMs: LOCK_MS }),
  }),
  operation({
    name: "removal of sessions that are over",
    async prepare(stage) {
      await useSessions(stage, 1);
      await carryOut(stage, "a", { activities: [{ label: "late", session: "t" }] });
      await stage.clock.advance(2);
    },
    act: ({ provider }) => provider.cleanupOrphanedSessions(),
  }),
];

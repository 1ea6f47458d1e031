/**
 * Renews the sessions that this runtime owns and sweeps orphaned ones (runtime-semantics §3.7). One request renews the
 * sessions of all slots. A failure is logged and repeated at the next interval: an expired session costs its locality,
 * not its activities, which have locks of their own.
 */
import { sleep } from "../../contract/clock.ts";
import { type RuntimeSettings, renewalIntervalMs } from "../options/options.ts";

export async function keepSessions(
  settings: RuntimeSettings,
  ownerIds: readonly string[],
  stopping: AbortSignal,
): Promise<void> {
  // A runtime without worker slots owns no sessions.
  if (ownerIds.length === 0) return;
  await Promise.all([renewSessions(settings, ownerIds, stopping), sweepSessions(settings, stopping)]);
}

async function renewSessions(
  { clock, provider, logger, ...settings }: RuntimeSettings,
  ownerIds: readonly string[],
  stopping: AbortSignal,
): Promise<void> {
  const { sessionLockTimeoutMs, sessionIdleTimeoutMs } = settings;
  const intervalMs = renewalIntervalMs(sessionLockTimeoutMs);
  const request = { ownerIds, extendMs: sessionLockTimeoutMs, idleTimeoutMs: sessionIdleTimeoutMs };
  await every(clock, intervalMs, stopping, async () => {
    try {
      await provider.renewSessionLocks(request);
    } catch (error) {
      logger.warn({ event: "sessions_not_renewed", error }, "session locks could not be renewed; retrying");
    }
  });
}

async function sweepSessions(
  { clock, provider, logger, ...settings }: RuntimeSettings,
  stopping: AbortSignal,
): Promise<void> {
  await every(clock, settings.sessionIdleTimeoutMs, stopping, async () => {
    try {
      await provider.cleanupOrphanedSessions();
    } catch (error) {
      logger.warn({ event: "sessions_not_swept", error }, "orphaned sessions could not be swept; retrying");
    }
  });
}

async function every(
  clock: RuntimeSettings["clock"],
  intervalMs: number,
  stopping: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    await sleep(clock, intervalMs, stopping);
    if (stopping.aborted) return;
    await work();
  }
}

/** Extends the valid sessions of the owners that were active lately (docs/reference/provider-contract.md §11). */
import { later, messageOf, type RenewSessionsOptions, toDurationMs } from "@duroxide-ts/core/stores";
import type { Stored } from "../documents/body.ts";
import { type SessionOwner, toOwner } from "../documents/session.ts";
import { readOwner, writeOwner } from "../leases/claim-session.ts";
import { type Renewal, readVouches, vouchForSessions } from "../leases/vouch-for-sessions.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { BEST_EFFORT_MS, WRITE_PATIENCE_MS } from "../memory/waits.ts";
import { spec } from "../service/spec.ts";

const OPERATION = "renewSessionLocks";

const OF_OWNERS = "SELECT * FROM c WHERE c.type = 'session_owner' AND ARRAY_CONTAINS(@owners, c.ownerId)";

export async function renewSessionLocks(parts: Parts, options: RenewSessionsOptions): Promise<number> {
  const { ownerIds } = options;
  const extendMs = toDurationMs(OPERATION, "extendMs", options.extendMs);
  const idleTimeoutMs = toDurationMs(OPERATION, "idleTimeoutMs", options.idleTimeoutMs);
  if (ownerIds.length === 0 || idleTimeoutMs === 0) return 0;
  const work = new Work(parts, OPERATION, WRITE_PATIENCE_MS);
  const renewal = { extendMs, idleTimeoutMs };
  const failures: unknown[] = [];
  await learn(work, ownerIds).catch((error: unknown) => failures.push(error));
  const renewed = await renewAll(work, ownerIds, renewal);
  // A physical partition that throttles delays only its own sessions.
  if (failures.length > 0) throw failures[0];
  return renewed;
}

/** Sessions of an earlier process with the same owner. The process remembers its own sessions. */
async function learn(work: Work, ownerIds: readonly string[]): Promise<void> {
  const { sessions } = work.memory;
  const unknown = ownerIds.filter((ownerId) => sessions.vouchOf(ownerId) === undefined);
  if (unknown.length === 0) return;
  await work.inEachRange(async (range) => {
    for (const stored of await work.queryRange<Stored>(range, spec(OF_OWNERS, { "@owners": unknown }))) {
      const owner = toOwner(stored);
      if (sessions.get(owner.sessionId) === undefined) sessions.set(owner);
    }
  });
  await readVouches(work, unknown);
}

async function renewAll(work: Work, ownerIds: readonly string[], renewal: Renewal): Promise<number> {
  const { sessions } = work.memory;
  const nowMs = work.clock.now();
  const untilMs = later(nowMs, renewal.extendMs);
  const isActive = (owner: SessionOwner): boolean =>
    ownerIds.includes(owner.ownerId) &&
    sessions.endOf(owner) > nowMs &&
    sessions.withActivity(owner).lastActivityMs > nowMs - renewal.idleTimeoutMs;
  const active = [...sessions.values()].filter(isActive);
  const open = active.filter((owner) => sessions.endOf(owner) < untilMs);
  if (open.length === 0) return active.length;
  await vouch(work, ownerIds, renewal);
  const renewed = await Promise.all(
    open.map(({ sessionId, ownerId }) => extend(work, sessionId, ownerId, untilMs)),
  );
  return active.length - open.length + renewed.filter((isRenewed) => isRenewed).length;
}

/** All vouches are in one partition. Where it cannot be written, each session is extended in its own. */
async function vouch(work: Work, ownerIds: readonly string[], renewal: Renewal): Promise<void> {
  try {
    await vouchForSessions(work.within(BEST_EFFORT_MS), ownerIds, renewal);
  } catch (error) {
    work.service.warn(
      `sessions are extended one by one, because they cannot be together: ${messageOf(error)}`,
      {},
    );
  }
}

/** Extends sessions that the vouch does not cover: they were active since they were stored, or the vouch is longer. */
async function extend(work: Work, sessionId: string, ownerId: string, untilMs: number): Promise<boolean> {
  const { sessions } = work.memory;
  let owner = sessions.get(sessionId);
  while (owner !== undefined && owner.ownerId === ownerId) {
    const endMs = sessions.endOf(owner);
    if (endMs >= untilMs) return true;
    if (endMs <= work.clock.now()) return false;
    const extended = { ...sessions.withActivity(owner), lockedUntilMs: Math.max(endMs, untilMs) };
    if ((await writeOwner(work, extended)) !== undefined) return true;
    owner = await readOwner(work, sessionId);
  }
  return false;
}

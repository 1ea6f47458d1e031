/**
 * The lock of an activity, written together with it for a fetch that waits
 * (docs/decisions/cosmos-turns.md).
 *
 * The row is created with the lock in it, so the lock of an activity without a session costs no operation. A session has
 * an owner in another partition, which no batch can check. So the row is locked first and the session claimed after the
 * commit. If the session turns out to be another worker's, the activity is given back without an attempt, and is taken
 * in the ordinary way.
 */
import {
  type ActivityExecute,
  acceptsTag,
  type FetchedWork,
  type FetchWorkOptions,
  handlerOf,
  hasActivity,
  later,
  type SessionClaim,
} from "@duroxide-ts/core/stores";
import type { Body, Stored, Written } from "../documents/body.ts";
import { lockTokenOf } from "../documents/lean.ts";
import { rankedBy } from "../documents/ranked.ts";
import { type NewRow, toActivityRow } from "../documents/rows.ts";
import type { SessionOwner } from "../documents/session.ts";
import { noteRefused } from "../fetching/note-refused.ts";
import { claimSession, leaveToRust } from "../leases/claim-session.ts";
import { undoActivity } from "../leases/give-back-activity.ts";
import { holdActivity, lockedBody } from "../leases/hold-activity.ts";
import {
  batchWithMirror,
  type MirrorOperation,
  mirrorOperation,
  noteMirror,
} from "../leases/session-mirror.ts";
import { isFresh } from "../memory/held.ts";
import type { Parts, Work } from "../memory/parts.ts";
import type { Reserved } from "../memory/waiting-fetch.ts";

/** The activity, and the sessions of those that the same commit locks. */
interface Claimable {
  readonly row: NewRow<ActivityExecute>;
  readonly body: Body;
  readonly sessions: ReadonlySet<string>;
}

/** Fields of the session that Rust reads. */
interface ClaimedMirror {
  readonly owner: SessionOwner;
  readonly operation: MirrorOperation;
}

/** Disposing releases the fetch, unless the claim was won. */
export class ActivityClaim implements Disposable {
  readonly rowId: string;
  readonly sessionId: string | undefined;
  /** The activity with the lock. */
  readonly body: Body;
  /**
   * Document of the session for Rust. Where it is refused, the session may be Rust's, and is claimed in the ordinary
   * way.
   */
  readonly mirror: ClaimedMirror | undefined;
  readonly #parts: Parts;
  readonly #secret: string;
  readonly #reserved: Reserved<FetchWorkOptions, FetchedWork>;

  private constructor(
    parts: Parts,
    reserved: Reserved<FetchWorkOptions, FetchedWork>,
    { row: { id, instanceId, item }, body, sessions }: Claimable,
  ) {
    this.#parts = parts;
    this.#reserved = reserved;
    this.#secret = parts.service.lockSecret();
    this.rowId = id;
    this.sessionId = item.session_id;
    const nowMs = parts.clock.now();
    const lockedUntilMs = later(nowMs, reserved.request.lockTimeoutMs);
    this.body = lockedBody(body, this.#secret, lockedUntilMs);
    const { session } = reserved.request;
    const { session_id: sessionId } = item;
    this.mirror =
      sessionId === undefined || sessions.has(sessionId) || session === undefined
        ? undefined
        : mirrorOf(parts, { instanceId, sessionId }, session, { nowMs, lockedUntilMs });
  }

  /** Undefined if no fetch waits for such an activity, or the waiting fetch cannot get its session. */
  static of(parts: Parts, activity: Claimable): ActivityClaim | undefined {
    const { item } = activity.row;
    // Its place is behind what waits (docs/decisions/limits.md).
    if (rankedBy(item) !== undefined) return undefined;
    const { session_id: sessionId } = item;
    const ownerId = sessionId === undefined ? undefined : ownerOf(parts, sessionId, parts.clock.now());
    // The first activity of a session decides whose it is.
    if (sessionId !== undefined && ownerId === undefined && activity.sessions.has(sessionId))
      return undefined;
    const reserved = parts.memory.waitingForActivities.reserve(
      (request) =>
        acceptsTag(request.tagFilter, item.tag) &&
        hasActivity(request, handlerOf(item)) &&
        (sessionId === undefined ||
          (request.session !== undefined &&
            (ownerId ?? request.session.ownerId) === request.session.ownerId)),
    );
    return reserved && new ActivityClaim(parts, reserved, activity);
  }

  /**
   * Gives the activity to its fetch, unless the row was written by another process since, or what is left of the lock is
   * of no use to a worker. Where the properties of the row are not known, as after a lost answer, the row is read.
   * `rows` is what the service said of new documents.
   */
  async won(work: Work, instanceId: string, rows: ReadonlyMap<string, Written>): Promise<void> {
    const system = rows.get(this.rowId);
    const stored: Stored | undefined =
      system === undefined
        ? await work.read(instanceId, this.rowId)
        : { ...this.body, id: this.rowId, ...system };
    if (stored === undefined || lockTokenOf(stored) !== this.#secret) return;
    const takeover = system === undefined ? undefined : "possible";
    const fetched = holdActivity(this.#parts, toActivityRow(stored), this.#secret, takeover);
    const { request } = this.#reserved;
    const lockedUntilMs = fetched.lockedUntilMs ?? 0;
    const isClaimed = await this.#claimSession(work, instanceId, rows);
    const isUseful = isClaimed && isFresh({ lockedUntilMs }, request, this.#parts.clock.now());
    if (isUseful && this.#reserved.give(fetched)) return;
    await undoActivity(work, {
      instanceId,
      rowId: this.rowId,
      secret: this.#secret,
    });
  }

  /** False where another worker has it. A claim that this process has already is no request. */
  async #claimSession(work: Work, instanceId: string, rows: ReadonlyMap<string, Written>): Promise<boolean> {
    const { session } = this.#reserved.request;
    if (this.sessionId === undefined || session === undefined) return true;
    const { mirror } = this;
    const written = mirror && rows.get(String(mirror.operation.body["id"]));
    if (mirror !== undefined && written !== undefined)
      noteMirror(this.#parts, instanceId, mirror.owner, written._etag);
    try {
      const isMirrored = written !== undefined;
      const claim = await claimSession(work, this.sessionId, instanceId, session, isMirrored);
      if (claim === undefined || mirror === undefined || isMirrored) return claim !== undefined;
      const mirrored = await batchWithMirror(work, instanceId, [], mirror.owner);
      if ("rust" in mirrored) await leaveToRust(work, claim, mirrored.rust);
      return !("rust" in mirrored);
    } catch (error) {
      // The commit is done. The activity is given back, and claimed in the ordinary way.
      noteRefused(work, this.#parts.memory.activities, { instanceId, id: this.rowId }, error);
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.#reserved.release();
  }
}

/** Undefined where the session is free, or not known. */
function ownerOf({ memory: { sessions } }: Parts, sessionId: string, nowMs: number): string | undefined {
  const owner = sessions.get(sessionId);
  return owner !== undefined && sessions.endOf(owner) > nowMs ? owner.ownerId : undefined;
}

function mirrorOf(
  parts: Parts,
  { instanceId, sessionId }: { readonly instanceId: string; readonly sessionId: string },
  { ownerId, lockTimeoutMs }: SessionClaim,
  times: { readonly nowMs: number; readonly lockedUntilMs: number },
): ClaimedMirror | undefined {
  const { nowMs, lockedUntilMs } = times;
  const owner = {
    sessionId,
    ownerId,
    lockedUntilMs: Math.max(later(nowMs, lockTimeoutMs), lockedUntilMs),
    lastActivityMs: nowMs,
    createdAtMs: parts.memory.sessions.get(sessionId)?.createdAtMs ?? nowMs,
    etag: "",
  };
  const operation = mirrorOperation(parts, instanceId, owner, nowMs);
  return operation && { owner, operation };
}

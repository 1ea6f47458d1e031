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
import { type NewRow, toActivityRow } from "../documents/rows.ts";
import type { SessionOwner } from "../documents/session.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { noteRefused } from "../fetching/note-refused.ts";
import type { Reserved } from "../fetching/waiting-fetch.ts";
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
import type { Memory } from "../memory/memory.ts";
import type { Call, Service } from "../service/service.ts";

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
  readonly #service: Service;
  readonly #memory: Memory;
  readonly #secret: string;
  readonly #reserved: Reserved<FetchWorkOptions, FetchedWork>;

  private constructor(
    service: Service,
    memory: Memory,
    reserved: Reserved<FetchWorkOptions, FetchedWork>,
    { row: { id, instanceId, item }, body, sessions }: Claimable,
  ) {
    this.#service = service;
    this.#memory = memory;
    this.#reserved = reserved;
    this.#secret = service.random.uuid();
    this.rowId = id;
    this.sessionId = item.session_id;
    const nowMs = service.clock.now();
    const lockedUntilMs = later(nowMs, reserved.request.lockTimeoutMs);
    this.body = lockedBody(body, this.#secret, lockedUntilMs);
    const { session } = reserved.request;
    const { session_id: sessionId } = item;
    this.mirror =
      sessionId === undefined || sessions.has(sessionId) || session === undefined
        ? undefined
        : mirrorOf(memory, { instanceId, sessionId }, session, { nowMs, lockedUntilMs });
  }

  /** Undefined if no fetch waits for such an activity, or the waiting fetch cannot get its session. */
  static of(
    service: Service,
    memory: Memory,
    queues: FetchQueues,
    activity: Claimable,
  ): ActivityClaim | undefined {
    const { item } = activity.row;
    const { session_id: sessionId } = item;
    const ownerId = sessionId === undefined ? undefined : ownerOf(memory, sessionId, service.clock.now());
    // The first activity of a session decides whose it is.
    if (sessionId !== undefined && ownerId === undefined && activity.sessions.has(sessionId))
      return undefined;
    const reserved = queues.activities.reserve(
      (request) =>
        acceptsTag(request.tagFilter, item.tag) &&
        hasActivity(request, handlerOf(item)) &&
        (sessionId === undefined ||
          (request.session !== undefined &&
            (ownerId ?? request.session.ownerId) === request.session.ownerId)),
    );
    return reserved && new ActivityClaim(service, memory, reserved, activity);
  }

  /**
   * Gives the activity to its fetch, unless the row was written by another process since, or what is left of the lock is
   * of no use to a worker. Where the properties of the row are not known, as after a lost answer, the row is read.
   * `rows` is what the service said of new documents.
   */
  async won(call: Call, instanceId: string, rows: ReadonlyMap<string, Written>): Promise<void> {
    const system = rows.get(this.rowId);
    const stored: Stored | undefined =
      system === undefined
        ? await call.read(instanceId, this.rowId)
        : { ...this.body, id: this.rowId, ...system };
    if (stored === undefined || lockTokenOf(stored) !== this.#secret) return;
    const fetched = holdActivity(this.#memory, toActivityRow(stored), this.#secret);
    const { request } = this.#reserved;
    const lockedUntilMs = fetched.lockedUntilMs ?? 0;
    const isClaimed = await this.#claimSession(call, instanceId, rows);
    const isUseful = isClaimed && isFresh({ lockedUntilMs }, request, this.#service.clock.now());
    if (isUseful && this.#reserved.give(fetched)) return;
    await undoActivity(this.#service, this.#memory, call.operation, {
      instanceId,
      rowId: this.rowId,
      secret: this.#secret,
    });
  }

  /** False where another worker has it. A claim that this process has already is no request. */
  async #claimSession(call: Call, instanceId: string, rows: ReadonlyMap<string, Written>): Promise<boolean> {
    const { session } = this.#reserved.request;
    if (this.sessionId === undefined || session === undefined) return true;
    const { mirror } = this;
    const written = mirror && rows.get(String(mirror.operation.body["id"]));
    if (mirror !== undefined && written !== undefined)
      noteMirror(this.#memory, instanceId, mirror.owner, written._etag);
    try {
      const isMirrored = written !== undefined;
      const claim = await claimSession(this.#memory, call, this.sessionId, instanceId, session, isMirrored);
      if (claim === undefined || mirror === undefined || isMirrored) return claim !== undefined;
      const mirrored = await batchWithMirror(this.#memory, call, instanceId, [], mirror.owner);
      if ("rust" in mirrored) await leaveToRust(this.#memory, call, claim, mirrored.rust);
      return !("rust" in mirrored);
    } catch (error) {
      // The commit is done. The activity is given back, and claimed in the ordinary way.
      noteRefused(this.#service, this.#memory.activities, { instanceId, id: this.rowId }, error);
      return false;
    }
  }

  [Symbol.dispose](): void {
    this.#reserved.release();
  }
}

/** Undefined where the session is free, or not known. */
function ownerOf({ sessions }: Memory, sessionId: string, nowMs: number): string | undefined {
  const owner = sessions.get(sessionId);
  return owner !== undefined && sessions.endOf(owner) > nowMs ? owner.ownerId : undefined;
}

function mirrorOf(
  memory: Memory,
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
    createdAtMs: memory.sessions.get(sessionId)?.createdAtMs ?? nowMs,
    etag: "",
  };
  const operation = mirrorOperation(memory, instanceId, owner, nowMs);
  return operation && { owner, operation };
}

/**
 * The sessions that this process has read or claimed, without I/O: their owners, the vouches for those, their last uses,
 * and what Rust reads of them in each instance (leases/session-mirror.ts).
 */
import { endOfSession, type SessionOwner, type Vouch } from "../documents/session.ts";

export interface StoredVouch extends Vouch {
  readonly etag: string;
}

/** The document beside the activities of an instance, as this process last read or wrote it. */
export interface Mirror {
  /** Owner with the ETag of this document. */
  readonly owner: SessionOwner;
  /** Not by Rust. */
  readonly isOurs: boolean;
}

/** More than a process uses at a time. One that is forgotten is read again. */
const MOST_MIRRORS = 10_000;

export class Sessions {
  readonly #owners = new Map<string, SessionOwner>();
  /** Last uses of sessions by this process that are later than the stored times. */
  readonly #activeMs = new Map<string, number>();
  /** Vouches by owner; null if there is none. */
  readonly #vouches = new Map<string, StoredVouch | null>();
  /** Mirrors by instance and session, the one written last at the end. */
  readonly #mirrors = new Map<string, Mirror>();
  /** The vouches that this process wrote, by their ids. */
  readonly #own = new Map<string, StoredVouch>();

  /** Returns the owner as stored. */
  get(sessionId: string): SessionOwner | undefined {
    return this.#owners.get(sessionId);
  }

  /** Returns the owner with its last use by this process. */
  withActivity(owner: SessionOwner): SessionOwner {
    const { sessionId, lastActivityMs } = owner;
    const activeMs = this.#activeMs.get(sessionId) ?? lastActivityMs;
    return activeMs > lastActivityMs ? { ...owner, lastActivityMs: activeMs } : owner;
  }

  values(): Iterable<SessionOwner> {
    return this.#owners.values();
  }

  set(owner: SessionOwner): void {
    this.#owners.set(owner.sessionId, owner);
  }

  delete(sessionId: string): void {
    this.#owners.delete(sessionId);
    this.#activeMs.delete(sessionId);
  }

  /** Forgets what this process has read of another one, whose claims were ended. */
  forgetHolder(holder: string): void {
    for (const owner of this.#owners.values()) if (owner.holder === holder) this.delete(owner.sessionId);
    for (const [ownerId, vouch] of this.#vouches) if (vouch?.holder === holder) this.#vouches.delete(ownerId);
  }

  used(sessionId: string, nowMs: number): void {
    this.#activeMs.set(sessionId, nowMs);
  }

  endOf(owner: SessionOwner): number {
    return endOfSession(owner, this.#vouches.get(owner.ownerId) ?? undefined);
  }

  /** Undefined if it was never read. */
  vouchOf(ownerId: string): StoredVouch | null | undefined {
    return this.#vouches.get(ownerId);
  }

  vouchOfList(id: string): StoredVouch | undefined {
    return this.#own.get(id);
  }

  /** `id` of a vouch of this process. */
  vouched(owners: readonly string[], vouch: StoredVouch | null, id?: string): void {
    for (const ownerId of owners) this.#vouches.set(ownerId, vouch);
    if (id !== undefined && vouch !== null) this.#own.set(id, vouch);
  }

  mirrorIn(instanceId: string, sessionId: string): Mirror | undefined {
    return this.#mirrors.get(keyOf(instanceId, sessionId));
  }

  /** Undefined: there is none. */
  mirrored(instanceId: string, sessionId: string, mirror: Mirror | undefined): void {
    const key = keyOf(instanceId, sessionId);
    this.#mirrors.delete(key);
    if (mirror !== undefined) this.#mirrors.set(key, mirror);
    for (const oldest of this.#mirrors.keys()) {
      if (this.#mirrors.size <= MOST_MIRRORS) return;
      this.#mirrors.delete(oldest);
    }
  }

  dropExpired(nowMs: number): void {
    for (const owner of this.#owners.values()) if (this.endOf(owner) < nowMs) this.delete(owner.sessionId);
  }
}

function keyOf(instanceId: string, sessionId: string): string {
  return JSON.stringify([instanceId, sessionId]);
}

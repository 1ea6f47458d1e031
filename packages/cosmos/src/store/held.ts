/** What this process has locked, by the secrets of the tokens. */

export interface Lock {
  readonly instanceId: string;
  readonly secret: string;
  readonly lockedUntilMs: number;
}

/** The part of a lock's time that must be left when it is handed out: its end was fixed before it was requested. */
const LEAST_LEFT = 0.2;

/** Whether enough is left of a lock to begin work under it. */
export function isFresh(
  { lockedUntilMs }: Pick<Lock, "lockedUntilMs">,
  { lockTimeoutMs }: { readonly lockTimeoutMs: number },
  nowMs: number,
): boolean {
  return lockedUntilMs - nowMs >= lockTimeoutMs * LEAST_LEFT;
}

export class Held<L extends Lock> {
  readonly #locks = new Map<string, L>();

  get(secret: string): L | undefined {
    return this.#locks.get(secret);
  }

  set(lock: L): void {
    this.#locks.set(lock.secret, lock);
  }

  delete(secret: string): void {
    this.#locks.delete(secret);
  }

  /** Locks whose time was over before: nobody will come back for them. */
  dropExpired(beforeMs: number): void {
    for (const [secret, { lockedUntilMs }] of this.#locks) {
      if (lockedUntilMs < beforeMs) this.#locks.delete(secret);
    }
  }
}

/** All locks that this process renews. After the event loop was blocked, they are renewed at once. */
import { Members } from "../../collections/members.ts";
import { LockRenewal, type RenewalOptions } from "./lock-renewal.ts";

export class HeldLocks {
  readonly #renewals = new Members<LockRenewal>();

  /** Renews the lock until the result is disposed. */
  keep(options: RenewalOptions): HeldLock {
    return new LockRenewal(options, this.#renewals);
  }

  renewStale(): void {
    for (const renewal of this.#renewals.all()) renewal.renewIfStale();
  }
}

export interface HeldLock extends Disposable {
  /** Whether the lock is still ours, as far as this process can tell. */
  readonly holds: boolean;
}

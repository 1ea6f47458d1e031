/**
 * The lock of an activity, written together with it for a fetch that waits (docs/decisions/
 * 0014-claim-while-committing.md).
 */
import {
  type ActivityExecute,
  acceptsTag,
  type FetchedWork,
  type FetchWorkOptions,
  later,
} from "@duroxide-ts/core/stores";
import type { Reserved } from "../fetching/place.ts";
import type { Body, Written } from "../requests/batch.ts";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import { type NewRow, toActivityRow } from "../schema/rows.ts";
import { isFresh } from "../store/held.ts";
import type { Store } from "../store/store.ts";
import { undoActivity } from "../work/give-back-activity.ts";
import { holdActivity, lockedBody } from "../work/hold-activity.ts";

/** Disposed of before it is won, it lets the fetch go. */
export class ActivityClaim implements Disposable {
  readonly rowId: string;
  /** The activity with the lock. */
  readonly body: Body;
  readonly #store: Store;
  readonly #secret: string;
  readonly #reserved: Reserved<FetchWorkOptions, FetchedWork>;

  private constructor(
    store: Store,
    reserved: Reserved<FetchWorkOptions, FetchedWork>,
    rowId: string,
    body: Body,
  ) {
    this.#store = store;
    this.#reserved = reserved;
    this.#secret = store.random.uuid();
    this.rowId = rowId;
    const lockedUntilMs = later(store.clock.now(), reserved.request.lockTimeoutMs);
    this.body = lockedBody(body, this.#secret, lockedUntilMs);
  }

  /** Nothing where nobody waits for such an activity, or its session must be claimed first. */
  static of(
    store: Store,
    { id, item }: Pick<NewRow<ActivityExecute>, "id" | "item">,
    body: Body,
  ): ActivityClaim | undefined {
    if (item.session_id !== undefined) return undefined;
    const reserved = store.activitiesWanted.reserve(({ tagFilter }) => acceptsTag(tagFilter, item.tag));
    return reserved && new ActivityClaim(store, reserved, id, body);
  }

  /** The activity is stored; `system` is what the service said of it, if that is known. */
  async won(call: Call, instanceId: string, system: Written | undefined): Promise<void> {
    const stored: Stored | undefined =
      system === undefined
        ? await this.#store.requests.read(call, instanceId, this.rowId)
        : { ...this.body, id: this.rowId, ...system };
    if (stored?.["lockToken"] !== this.#secret) return;
    const fetched = holdActivity(this.#store, toActivityRow(stored), this.#secret);
    const { request } = this.#reserved;
    const lockedUntilMs = fetched.lockedUntilMs ?? 0;
    const isUseful = isFresh({ lockedUntilMs }, request, this.#store.clock.now());
    if (isUseful && this.#reserved.give(fetched)) return;
    await undoActivity(this.#store, call.operation, { instanceId, rowId: this.rowId, secret: this.#secret });
  }

  [Symbol.dispose](): void {
    this.#reserved.release();
  }
}

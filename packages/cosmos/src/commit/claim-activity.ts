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
import type { Body, Stored, Written } from "../documents/body.ts";
import { type NewRow, toActivityRow } from "../documents/rows.ts";
import type { FetchQueues } from "../fetching/fetch-queues.ts";
import { knowsActivity } from "../fetching/known-names.ts";
import type { Reserved } from "../fetching/waiting-fetch.ts";
import { undoActivity } from "../leases/give-back-activity.ts";
import { holdActivity, lockedBody } from "../leases/hold-activity.ts";
import { isFresh } from "../memory/held.ts";
import type { Memory } from "../memory/memory.ts";
import type { Call, Service } from "../service/service.ts";

/** Disposed of before it is won, it lets the fetch go. */
export class ActivityClaim implements Disposable {
  readonly rowId: string;
  /** The activity with the lock. */
  readonly body: Body;
  readonly #service: Service;
  readonly #memory: Memory;
  readonly #secret: string;
  readonly #reserved: Reserved<FetchWorkOptions, FetchedWork>;

  private constructor(
    service: Service,
    memory: Memory,
    reserved: Reserved<FetchWorkOptions, FetchedWork>,
    rowId: string,
    body: Body,
  ) {
    this.#service = service;
    this.#memory = memory;
    this.#reserved = reserved;
    this.#secret = service.random.uuid();
    this.rowId = rowId;
    const lockedUntilMs = later(service.clock.now(), reserved.request.lockTimeoutMs);
    this.body = lockedBody(body, this.#secret, lockedUntilMs);
  }

  /** Nothing where nobody waits for such an activity, or its session must be claimed first. */
  static of(
    service: Service,
    memory: Memory,
    queues: FetchQueues,
    { id, item }: Pick<NewRow<ActivityExecute>, "id" | "item">,
    body: Body,
  ): ActivityClaim | undefined {
    if (item.session_id !== undefined) return undefined;
    const reserved = queues.activities.reserve(
      (request) => acceptsTag(request.tagFilter, item.tag) && knowsActivity(request, item),
    );
    return reserved && new ActivityClaim(service, memory, reserved, id, body);
  }

  /** The activity is stored; `system` is what the service said of it, if that is known. */
  async won(call: Call, instanceId: string, system: Written | undefined): Promise<void> {
    const stored: Stored | undefined =
      system === undefined
        ? await call.read(instanceId, this.rowId)
        : { ...this.body, id: this.rowId, ...system };
    if (stored?.["lockToken"] !== this.#secret) return;
    const fetched = holdActivity(this.#memory, toActivityRow(stored), this.#secret);
    const { request } = this.#reserved;
    const lockedUntilMs = fetched.lockedUntilMs ?? 0;
    const isUseful = isFresh({ lockedUntilMs }, request, this.#service.clock.now());
    if (isUseful && this.#reserved.give(fetched)) return;
    await undoActivity(this.#service, this.#memory, call.operation, {
      instanceId,
      rowId: this.rowId,
      secret: this.#secret,
    });
  }

  [Symbol.dispose](): void {
    this.#reserved.release();
  }
}

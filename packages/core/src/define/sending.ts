/** Messages of an orchestration to other instances (docs/decisions/messages.md). */
import type { EventDefinition, QueueDefinition } from "./definition-types.ts";

/** The calls of orchestration code that send a message. The commit of the turn sends it, exactly once. */
export interface Sending {
  /**
   * Sends an event to an instance, which gets it as one of a client with `ifMissing: "keep"`: it is lost if no wait is open,
   * unless the event is kept, and if the instance has ended. One for an instance that was not started yet waits for its
   * start where the store keeps it. InvalidInputError for a bad id, and for data that the schema rejects.
   *
   * @example
   * ```ts
   * ctx.raise("order-42", approved, { by: "Ada" });
   * ```
   */
  raise<T>(
    instanceId: string,
    event: EventDefinition<T, unknown> | string,
    ...[data]: undefined extends T ? [data?: T] : [data: T]
  ): void;

  /**
   * Adds a message to the queue of an instance, which keeps it until it is read or the instance ends. Nobody learns of a
   * message for an instance that is unknown or has ended. InvalidInputError as for `raise`.
   *
   * @example
   * ```ts
   * ctx.enqueue("basket-7", lines, { sku: "A-1" });
   * ```
   */
  enqueue<T>(
    instanceId: string,
    queue: QueueDefinition<T, unknown> | string,
    ...[message]: undefined extends T ? [message?: T] : [message: T]
  ): void;
}

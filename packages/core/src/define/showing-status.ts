/** The custom status and streams, which orchestration code shows to clients. */
import type { CodeStream, StreamDefinition } from "./stream.ts";

/** The calls of orchestration code that show something: `Status` is the type that it sets, `Shown` the one that is read. */
export interface ShowingStatus<Status, Shown> {
  /**
   * Sets the custom status that clients see; `undefined` clears it.
   *
   * @example
   * ```ts
   * ctx.setCustomStatus({ step: "charging", of: 3 });
   * ```
   */
  setCustomStatus(status: Status | undefined): void;
  /**
   * The custom status as last set here, also by an earlier execution; `undefined` when there is none. InvalidInputError if
   * its schema rejects it.
   *
   * @example
   * ```ts
   * if (ctx.getCustomStatus() === undefined) ctx.setCustomStatus("begun");
   * ```
   */
  getCustomStatus(): Shown | undefined;
  /**
   * A stream of this instance, which clients read while it runs. The commit of the turn stores what is written, once. Writes
   * no event, so code of running instances may add the call.
   *
   * @example
   * ```ts
   * ctx.stream(tokens).write("Hel");
   * ```
   */
  stream<T = unknown>(stream: StreamDefinition<T, unknown> | string): CodeStream<T>;
}

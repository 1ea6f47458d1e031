/** The custom status, which orchestration code shows to clients. */

/** The calls of orchestration code that show a status: `Status` is the type that it sets, `Shown` the one that is read. */
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
   */
  getCustomStatus(): Shown | undefined;
}

/** The times that random calls choose from, ms. */

export interface Durations {
  /** Durations of locks and renewals. */
  readonly leases: readonly number[];
  readonly delays: readonly number[];
  readonly idleTimeouts: readonly number[];
  /** How far a timer of a turn lies in the past or the future. */
  readonly timers: readonly number[];
  /** How much time may pass between two calls; empty where time cannot be moved. */
  readonly passes: readonly number[];
}

/** Few and round durations, so that deadlines are often met to the millisecond. */
export const VIRTUAL_DURATIONS: Durations = {
  leases: [5_000, 30_000],
  delays: [0, 1_000, 10_000],
  idleTimeouts: [0, 5_000, 60_000],
  timers: [-1, 0, 1_000, 10_000],
  passes: [1, 999, 1_000, 5_000, 30_000],
};

const AN_HOUR_MS = 3_600_000;

/** Durations in real time. A script cannot wait for a deadline there, so no deadline passes while it runs. */
export const REAL_DURATIONS: Durations = {
  leases: [AN_HOUR_MS],
  delays: [0, AN_HOUR_MS],
  idleTimeouts: [0, AN_HOUR_MS],
  timers: [-AN_HOUR_MS, AN_HOUR_MS],
  passes: [],
};

/** Progress of activities and steps, as they report it and as clients see it. */

/** How far an activity has come. Any further members are kept too, such as where to go on. */
export interface Progress {
  readonly done?: number;
  readonly of?: number;
  readonly message?: string;
  readonly [name: string]: unknown;
}

/** The last report of an activity or step. */
export interface ProgressOfStep {
  /** Name of the activity or step; with a number where others of the name have reported too. */
  readonly step: string;
  readonly value: Progress;
  /** Ms since the epoch. */
  readonly atMs: number;
  /** Number of the delivery that has reported, from 1. */
  readonly attempt: number;
}

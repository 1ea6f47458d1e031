/** Durations as they are given, in options and in the rules that stores keep. */

/** Milliseconds, or units that are summed. Zero or more; fractions of a millisecond are cut off. */
export type Duration =
  | number
  | {
      readonly days?: number;
      readonly hours?: number;
      readonly minutes?: number;
      readonly seconds?: number;
      readonly ms?: number;
    };

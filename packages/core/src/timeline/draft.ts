/** Steps during their construction. */

/** `T` with its fields writable, down to lists of attempts. */
export type Draft<T> = T extends unknown
  ? { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? Draft<U>[] : T[K] }
  : never;

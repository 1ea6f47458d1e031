/** Refuses a call of a closed provider, and lets closing wait for one that is under way. */
export type Guard = <T>(operation: string, call: () => Promise<T>) => Promise<T>;

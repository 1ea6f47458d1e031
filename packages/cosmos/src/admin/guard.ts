/** Rejects a call of a closed provider, and makes closing wait for calls in flight. */
export type Guard = <T>(operation: string, call: () => Promise<T>) => Promise<T>;

/** By which names the command line knows the stores; without loading them. */
export const STORE_NAMES = ["sqlite", "cosmos"] as const;

export type StoreName = (typeof STORE_NAMES)[number];

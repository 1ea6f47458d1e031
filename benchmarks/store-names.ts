/** Names of the stores on the command line, without loading the stores. */
export const STORE_NAMES = ["sqlite", "cosmos"] as const;

export type StoreName = (typeof STORE_NAMES)[number];

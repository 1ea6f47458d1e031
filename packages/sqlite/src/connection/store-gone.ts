/** Thrown by a check of the open files (database-file.ts); callers get a ProviderError with the code `store-gone`. */
export class StoreGone extends Error {}

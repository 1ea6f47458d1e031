/** Time between two reads of a store that charges by request, ms. */
export const REFRESH_WITH_COST_MS = 30_000;

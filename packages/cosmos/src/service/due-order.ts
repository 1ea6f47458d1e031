/**
 * The order of due work of one type. The type stands first although the filter fixes it: the service takes the composite
 * index for a filter with an order only if the order names the filtered property
 * (docs/decisions/cosmos-finding-work.md).
 */
export const DUE_ORDER: readonly [string, ...string[]] = ["/type", "/visibleAt", "/enqueuedAt"];

/** Functions that the service has and this endpoint does not: refused by name, not as unknown. */

const NAMES = new Set([
  "DOCUMENTID",
  "FULLTEXTCONTAINS",
  "FULLTEXTCONTAINSALL",
  "FULLTEXTCONTAINSANY",
  "FULLTEXTSCORE",
  "RRF",
  "VECTORDISTANCE",
]);

/** Whether the name, in any case, is one of them; all functions of geography are. */
export function isUnsupported(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || upper.startsWith("ST_");
}

/** Values for programs: instants in ms get an ISO text beside them. */
import { safeJson } from "../text/safe-text.ts";
import { StoredValue } from "./payload.ts";

const INSTANT = /^(.*(?:At|Since|Until|From)|since|until|from|due|now)Ms$/;
const GREATEST_INSTANT_MS = 8.64e15;

/** One value in lines, for `-o json`. */
export function formatJson(value: unknown): string {
  return `${safeJson(JSON.stringify(withInstants(value), undefined, 2))}\n`;
}

/** One value in one line, for `-o jsonl`. */
export function formatJsonLine(value: unknown): string {
  return `${safeJson(JSON.stringify(withInstants(value)))}\n`;
}

/** `createdAtMs: 0` becomes `createdAt: "1970-01-01T00:00:00.000Z", createdAtMs: 0`; integers of Rust become texts. */
export function withInstants(value: unknown): unknown {
  if (typeof value === "bigint")
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value);
  if (value instanceof StoredValue) return value.value;
  if (Array.isArray(value)) return value.map(withInstants);
  if (value instanceof Map) return withInstants(Object.fromEntries(value));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, held]) => {
      const [, stem] = INSTANT.exec(name) ?? [];
      const isInstant =
        stem !== undefined && typeof held === "number" && Math.abs(held) <= GREATEST_INSTANT_MS;
      const iso = isInstant ? [[stem, new Date(held).toISOString()] as const] : [];
      return [...iso, [name, withInstants(held)] as const];
    }),
  );
}

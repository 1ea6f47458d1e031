/** Time spans as people write them. */

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `90s`, `1h30m`, `2d` in ms; `undefined` for anything else. */
export function parseSpan(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d|w)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return undefined;
  return parts.reduce((sum, [, count = "0", unit = "ms"]) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
}

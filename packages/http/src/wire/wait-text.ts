/** Durations in addresses, such as `20s`. */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds; `undefined` for a text that is no duration. */
export function waitMsOf(text: string): number | undefined {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Math.trunc(Number(amount) * unitMs);
}

export function waitText(ms: number): string {
  return `${Math.trunc(ms)}ms`;
}

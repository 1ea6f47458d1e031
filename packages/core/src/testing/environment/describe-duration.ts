/** A duration as readable text and as source code. */

const UNITS = [
  { name: "days", ms: 86_400_000 },
  { name: "hours", ms: 3_600_000 },
  { name: "minutes", ms: 60_000 },
  { name: "seconds", ms: 1_000 },
  { name: "ms", ms: 1 },
] as const;

export function describeDuration(durationMs: number): { readonly text: string; readonly code: string } {
  const counts: { readonly name: string; readonly count: number }[] = [];
  let restMs = Math.max(0, durationMs);
  for (const { name, ms } of UNITS) {
    const count = Math.floor(restMs / ms);
    restMs -= count * ms;
    if (count > 0) counts.push({ name, count });
  }
  if (counts.length === 0) return { text: "0 ms", code: "0" };
  return {
    text: counts
      .map(({ name, count }) => `${count} ${count === 1 && name !== "ms" ? name.slice(0, -1) : name}`)
      .join(" "),
    code: `{ ${counts.map(({ name, count }) => `${name}: ${count}`).join(", ")} }`,
  };
}

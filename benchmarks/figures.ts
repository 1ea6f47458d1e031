/** How measurements become the figures of a line. */

/** Figures of every line, whatever was measured; comparable with the peers' baselines. */
export interface Figures {
  readonly n: number;
  readonly concurrency: number;
  readonly seconds: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly unit: string;
}

export function latencyFigures(latenciesMs: readonly number[]): Pick<Figures, "p50_ms" | "p99_ms"> {
  return { p50_ms: round(percentile(latenciesMs, 50)), p99_ms: round(percentile(latenciesMs, 99)) };
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

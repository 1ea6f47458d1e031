/**
 * Computes what the check costs, before and after. Prices are list prices of the day below, in US dollars, West US 2.
 */
import type { Scale } from "./scale.ts";
import type { Step } from "./step.ts";

export const PRICES = {
  /** Day of the list prices. */
  asOf: "2026-11-21",
  /** Serverless, for a million request units. */
  usdPerMillionRu: 0.25,
  /** Provisioned, manual, for 100 RU/s and an hour that has begun. */
  usdPer100RuHour: 0.008,
} as const;

export interface Cost {
  readonly ru: number;
  readonly usd: number;
}

export function estimate(steps: readonly Step[], scale: Scale): Cost {
  const ru = steps.reduce((sum, each) => sum + each.estimateRu(scale), 0);
  const usd = steps.reduce((sum, each) => sum + (each.estimateUsd ?? 0), usdOf(ru));
  return { ru: Math.round(ru), usd: rounded(usd) };
}

/** Computes the price on a serverless account; a provisioned one charges its hours instead. */
export function measured(ru: number): Cost {
  return { ru: Math.round(ru), usd: rounded(usdOf(ru)) };
}

export function describeCost({ ru, usd }: Cost): string {
  return `${ru.toLocaleString("en-US")} RU, about $${usd.toFixed(2)}`;
}

function usdOf(ru: number): number {
  return (ru / 1_000_000) * PRICES.usdPerMillionRu;
}

function rounded(usd: number): number {
  return Math.ceil(usd * 100) / 100;
}

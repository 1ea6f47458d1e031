/** Figures of what runs and what failed lately, whether it was counted or is what a page of the store has. */
import type { InstanceCount, QueryCost } from "@duroxide-ts/core/stores";
import type { Figure } from "../page/shapes/overview.ts";

export interface OpenFigures {
  readonly running: Figure;
  readonly failedToday: Figure;
  /** Running instances by name and version. */
  readonly runningBy: readonly InstanceCount[];
  readonly requestUnits: number;
}

/** Returns the request units of the answers that say what they cost. */
export function unitsOf(answers: readonly { readonly cost?: QueryCost }[]): number {
  return answers.reduce((sum, { cost }) => sum + (cost?.requestUnits ?? 0), 0);
}

/** The entries of a page, and whether the store has others. */
export function figureOf(entries: readonly unknown[], continuation: string | undefined): Figure {
  return { count: entries.length, ...(continuation !== undefined && { isMore: true }) };
}

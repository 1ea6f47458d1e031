/** The report of a run, as JSON and as a table for people. Neither has keys, tokens or the name of the account. */
import { type Cost, describeCost, type PRICES } from "./cost.ts";
import type { Finding, Verdict } from "./notes.ts";
import type { Phase } from "./step.ts";

/** The form of the report; a change that breaks readers of it counts this up. */
export const FORMAT_VERSION = 1;

export interface RequestSeen {
  readonly request: string;
  readonly status: number;
  readonly substatus: number;
  readonly ru: number;
  readonly tookMs: number;
}

export interface StepReport {
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Facts that were noted without being judged, by name. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The first of the requests that the step sent itself. */
  readonly requests: readonly RequestSeen[];
  readonly requestCount: number;
  readonly ru: number;
  readonly tookMs: number;
}

export interface CheckReport {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly place: "rehearsal" | "azure" | "other";
  readonly startedAt: string;
  readonly tookMs: number;
  /** Red where a gate did not hold; the steps after it did not run. */
  readonly outcome: "green" | "red";
  readonly stoppedAt?: string;
  readonly steps: readonly StepReport[];
  readonly cost: {
    readonly estimated: Cost;
    /** Charges of the answers, without those of child processes. */
    readonly measured: Cost;
    readonly prices: typeof PRICES;
  };
  /** Undefined where the database was kept. */
  readonly databaseRemoved?: boolean;
}

/** Removes what must not leave the machine from every text of a value. */
export function withoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const json = JSON.stringify(value);
  const known = secrets.filter((each) => each !== "").toSorted((a, b) => b.length - a.length);
  const clean = known.reduce((text, each) => text.replaceAll(JSON.stringify(each).slice(1, -1), "…"), json);
  return JSON.parse(clean) as T;
}

const SIGNS: Readonly<Record<Verdict, string>> = {
  green: "ok",
  differs: "DIFFERS",
  red: "RED",
  skipped: "skipped",
};

/** Width of the longest id of a step, and a space. */
const ID_WIDTH = 14;

interface Ended extends Pick<CheckReport, "steps" | "outcome" | "stoppedAt"> {
  readonly cost: Pick<CheckReport["cost"], "estimated" | "measured">;
}

export function tableOf({ steps, cost, outcome, stoppedAt }: Ended): string {
  const lines = steps.flatMap(({ id, title, verdict, findings, ru, tookMs }) => [
    `${id.padEnd(ID_WIDTH)}${SIGNS[verdict].padEnd(9)}${title.padEnd(58)}${ru.toFixed(0).padStart(8)} RU ${(tookMs / 1_000).toFixed(1).padStart(7)} s`,
    ...findings.filter((each) => each.verdict !== "green").map(lineOf),
  ]);
  const end =
    outcome === "green"
      ? "Every gate is green."
      : `A gate is red, and the check ended there (${stoppedAt}): docs/cosmos/azure-check.md says what to do.`;
  return [
    ...lines,
    `Cost ${describeCost(cost.measured)}; estimated ${describeCost(cost.estimated)}.`,
    end,
  ].join("\n");
}

function lineOf({ kind, what, verdict, seen }: Finding): string {
  return `${" ".repeat(ID_WIDTH)}${SIGNS[verdict].padEnd(9)}${kind === "gate" ? `gate ${what}` : what}: ${seen}`;
}

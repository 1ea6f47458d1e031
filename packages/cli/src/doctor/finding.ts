/** The subjects that `doctor` examines, and its findings. */
import type { Worker } from "@duroxide-ts/core";
import type { NextStep } from "../output/next-line.ts";
import type { OpenStore } from "../store/open-store.ts";

export interface Examined {
  readonly store: OpenStore;
  readonly workers: readonly Worker[];
  readonly nowMs: number;
}

export type Check = (examined: Examined) => Promise<readonly Finding[]>;

export interface Finding {
  readonly level: "ok" | "warn" | "red";
  /** Description of the fault. Further lines are commands of other programs that mend it. */
  readonly text: string;
  /** The command that looks closer, or mends it. */
  readonly next?: NextStep;
}

/** The finding for JSON, with the command as it is typed. */
export function findingValue({ level, text, next }: Finding): object {
  return { level, text, ...(next !== undefined && { next: ["duroxide", ...next].join(" ") }) };
}

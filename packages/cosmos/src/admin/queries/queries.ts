/** The queries of the provider: connects methods with their files. It has no logic. */
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import type { Parts } from "../../memory/parts.ts";
import { freeDead } from "../free-dead.ts";
import type { Guard } from "../guard.ts";
import { listDeadLetters, settleDeadLetter } from "./dead-letters.ts";
import { listWork } from "./list-work.ts";
import { countInstances, queryInstances } from "./query-instances.ts";
import { listWorkers, reportWorker } from "./workers.ts";

type Queries = Pick<
  ProviderAdmin,
  | "queryInstances"
  | "countInstances"
  | "listWork"
  | "listDeadLetters"
  | "settleDeadLetter"
  | "listWorkers"
  | "reportWorker"
>;

export function cosmosQueries(parts: Parts, run: Guard, onFreed: () => void): Queries {
  return {
    queryInstances: (query) => run("queryInstances", () => queryInstances(parts, query)),
    countInstances: (filter, by) => run("countInstances", () => countInstances(parts, filter, by)),
    listWork: (query) => run("listWork", () => listWork(parts, query)),
    listDeadLetters: (query) => run("listDeadLetters", () => listDeadLetters(parts, query)),
    settleDeadLetter: (id, how) => run("settleDeadLetter", () => settleDeadLetter(parts, id, how)),
    listWorkers: () => run("listWorkers", () => listWorkers(parts)),
    reportWorker: (workerId, report) =>
      run("reportWorker", async () => {
        await reportWorker(parts, workerId, report);
        if (report !== undefined) void run("freeDead", () => freeDead(parts, onFreed)).catch(() => {});
      }),
  };
}

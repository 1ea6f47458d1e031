/** The queries of the provider: connects methods with their files. It has no logic. */
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import type { Service } from "../../service/service.ts";
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

export function cosmosQueries(service: Service, run: Guard): Queries {
  return {
    queryInstances: (query) => run("queryInstances", () => queryInstances(service, query)),
    countInstances: (filter, by) => run("countInstances", () => countInstances(service, filter, by)),
    listWork: (query) => run("listWork", () => listWork(service, query)),
    listDeadLetters: (query) => run("listDeadLetters", () => listDeadLetters(service, query)),
    settleDeadLetter: (id, how) => run("settleDeadLetter", () => settleDeadLetter(service, id, how)),
    listWorkers: () => run("listWorkers", () => listWorkers(service)),
    reportWorker: (workerId, report) => run("reportWorker", () => reportWorker(service, workerId, report)),
  };
}

/** The queries of the provider: connects methods with their files. It has no logic. */
import type { ProviderAdmin } from "../../../../contract/admin.ts";
import type { Access } from "../access.ts";
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

export function memoryQueries(access: Access): Queries {
  return {
    queryInstances: async (query) => access.read("queryInstances", (store) => queryInstances(store, query)),
    countInstances: async (filter, by) =>
      access.read("countInstances", (store) => countInstances(store, filter, by)),
    listWork: async (query) => access.read("listWork", (store) => listWork(store, query)),
    listDeadLetters: async (query) =>
      access.read("listDeadLetters", (store) => listDeadLetters(store, query)),
    settleDeadLetter: async (id, how) =>
      access.change("settleDeadLetter", (store) => settleDeadLetter(store, id, how)),
    listWorkers: async () => access.read("listWorkers", listWorkers),
    reportWorker: async (workerId, report) =>
      access.read("reportWorker", (store) => reportWorker(store, workerId, report)),
  };
}

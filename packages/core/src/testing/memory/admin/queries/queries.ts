/** The queries of the provider: connects methods with their files. It has no logic. */
import type { ProviderAdmin } from "../../../../contract/admin.ts";
import type { Access } from "../access.ts";
import { dropDeadLetter, listDeadLetters, requeueDeadLetter } from "./dead-letters.ts";
import { listWork } from "./list-work.ts";
import { countInstances, queryInstances } from "./query-instances.ts";
import { listWorkers, removeWorker, reportWorker } from "./workers.ts";

type Queries = Pick<
  ProviderAdmin,
  | "queryInstances"
  | "countInstances"
  | "listWork"
  | "listDeadLetters"
  | "requeueDeadLetter"
  | "dropDeadLetter"
  | "listWorkers"
  | "reportWorker"
  | "removeWorker"
>;

export function memoryQueries(access: Access): Queries {
  return {
    queryInstances: async (query) => access.read("queryInstances", (store) => queryInstances(store, query)),
    countInstances: async (filter, by) =>
      access.read("countInstances", (store) => countInstances(store, filter, by)),
    listWork: async (query) => access.read("listWork", (store) => listWork(store, query)),
    listDeadLetters: async (query) =>
      access.read("listDeadLetters", (store) => listDeadLetters(store, query)),
    requeueDeadLetter: async (id) =>
      access.change("requeueDeadLetter", (store) => requeueDeadLetter(store, id)),
    dropDeadLetter: async (id) => access.change("dropDeadLetter", (store) => dropDeadLetter(store, id)),
    listWorkers: async () => access.read("listWorkers", listWorkers),
    reportWorker: async (report) => access.read("reportWorker", (store) => reportWorker(store, report)),
    removeWorker: async (workerId) => access.read("removeWorker", (store) => removeWorker(store, workerId)),
  };
}

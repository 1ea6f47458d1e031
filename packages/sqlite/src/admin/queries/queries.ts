/** The queries of the provider: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import type { ProviderAdmin } from "@duroxide-ts/core/stores";
import { snapshot } from "../../commit/reader.ts";
import type { Store } from "../../store.ts";
import { countInstances } from "./count-instances.ts";
import { listDeadLetters } from "./dead-letters.ts";
import { listWork } from "./list-work.ts";
import { queryInstances } from "./query-instances.ts";
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

export function sqliteQueries(store: Store, clock: Clock): Queries {
  return {
    queryInstances: async (query) => {
      const nowMs = clock.now();
      return store.read("queryInstances", (db) => snapshot(db, () => queryInstances(db, nowMs, query)));
    },
    countInstances: async (filter, by) => countInstances(store, clock.now(), filter, by),
    listWork: async (query) => {
      const nowMs = clock.now();
      return store.read("listWork", (db) => snapshot(db, () => listWork(db, nowMs, query)));
    },
    listDeadLetters: async (query) => store.read("listDeadLetters", (db) => listDeadLetters(db, query)),
    settleDeadLetter: async (id, how) => {
      store.refuseWrite("settleDeadLetter");
      // Loaded when it is needed: it brings what writes along, and most tools only read.
      const { settleDeadLetter } = await import("./settle-dead-letter.ts");
      return store.write("settleDeadLetter", settleDeadLetter(id, how));
    },
    listWorkers: async () => {
      const nowMs = clock.now();
      return store.read("listWorkers", (db) => listWorkers(db, nowMs));
    },
    reportWorker: async (workerId, report) => store.write("reportWorker", reportWorker(workerId, report)),
  };
}

/** The queries of the provider: connects methods with their files. It has no logic. */
import type { Clock } from "@duroxide-ts/core";
import type {
  CountKey,
  DeadLetterPage,
  DeadLetterQuery,
  InstanceCount,
  InstanceQuery,
  InstanceQueryFilter,
  InstanceQueryPage,
  ProviderQueries,
  Worker,
  WorkerReport,
  WorkPage,
  WorkQuery,
} from "@duroxide-ts/core/stores";
import { snapshot } from "../../commit/reader.ts";
import type { Store } from "../../store.ts";
import { countInstances } from "./count-instances.ts";
import { dropDeadLetter, listDeadLetters, requeueDeadLetter } from "./dead-letters.ts";
import { listWork } from "./list-work.ts";
import { queryInstances } from "./query-instances.ts";
import { listWorkers, removeWorker, reportWorker } from "./workers.ts";

export class SqliteQueries implements ProviderQueries {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async queryInstances(query?: InstanceQuery): Promise<InstanceQueryPage> {
    return this.#store.read("queryInstances", (db) => snapshot(db, () => queryInstances(db, query)));
  }

  async countInstances(
    filter?: InstanceQueryFilter,
    by?: readonly CountKey[],
  ): Promise<readonly InstanceCount[]> {
    return countInstances(this.#store, filter, by);
  }

  async listWork(query?: WorkQuery): Promise<WorkPage> {
    const nowMs = this.#clock.now();
    return this.#store.read("listWork", (db) => snapshot(db, () => listWork(db, nowMs, query)));
  }

  async listDeadLetters(query?: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.#store.read("listDeadLetters", (db) => listDeadLetters(db, query));
  }

  async requeueDeadLetter(id: string): Promise<boolean> {
    return this.#store.write("requeueDeadLetter", requeueDeadLetter(id));
  }

  async dropDeadLetter(id: string): Promise<boolean> {
    return this.#store.write("dropDeadLetter", dropDeadLetter(id));
  }

  async listWorkers(): Promise<readonly Worker[]> {
    const nowMs = this.#clock.now();
    return this.#store.read("listWorkers", (db) => listWorkers(db, nowMs));
  }

  async reportWorker(report: WorkerReport): Promise<void> {
    return this.#store.write("reportWorker", reportWorker(report));
  }

  async removeWorker(workerId: string): Promise<void> {
    return this.#store.write("removeWorker", removeWorker(workerId));
  }
}

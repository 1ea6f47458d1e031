/** The queries of the provider: connects methods with their files. It has no logic. */
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
} from "../../../../contract/queries.ts";
import type { Access } from "../access.ts";
import { dropDeadLetter, listDeadLetters, requeueDeadLetter } from "./dead-letters.ts";
import { listWork } from "./list-work.ts";
import { countInstances, queryInstances } from "./query-instances.ts";
import { listWorkers, removeWorker, reportWorker } from "./workers.ts";

export class MemoryQueries implements ProviderQueries {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  async queryInstances(query?: InstanceQuery): Promise<InstanceQueryPage> {
    return this.#access.read("queryInstances", (store) => queryInstances(store, query));
  }

  async countInstances(
    filter?: InstanceQueryFilter,
    by?: readonly CountKey[],
  ): Promise<readonly InstanceCount[]> {
    return this.#access.read("countInstances", (store) => countInstances(store, filter, by));
  }

  async listWork(query?: WorkQuery): Promise<WorkPage> {
    return this.#access.read("listWork", (store) => listWork(store, query));
  }

  async listDeadLetters(query?: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.#access.read("listDeadLetters", (store) => listDeadLetters(store, query));
  }

  async requeueDeadLetter(id: string): Promise<boolean> {
    return this.#access.change("requeueDeadLetter", (store) => requeueDeadLetter(store, id));
  }

  async dropDeadLetter(id: string): Promise<boolean> {
    return this.#access.change("dropDeadLetter", (store) => dropDeadLetter(store, id));
  }

  async listWorkers(): Promise<readonly Worker[]> {
    return this.#access.read("listWorkers", listWorkers);
  }

  async reportWorker(report: WorkerReport): Promise<void> {
    this.#access.read("reportWorker", (store) => reportWorker(store, report));
  }

  async removeWorker(workerId: string): Promise<void> {
    this.#access.read("removeWorker", (store) => removeWorker(store, workerId));
  }
}

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
} from "@duroxide-ts/core/stores";
import type { Service } from "../../service/service.ts";
import type { Guard } from "../guard.ts";
import { dropDeadLetter, listDeadLetters, requeueDeadLetter } from "./dead-letters.ts";
import { listWork } from "./list-work.ts";
import { countInstances, queryInstances } from "./query-instances.ts";
import { listWorkers, removeWorker, reportWorker } from "./workers.ts";

export class CosmosQueries implements ProviderQueries {
  readonly #service: Service;
  readonly #run: Guard;

  constructor(service: Service, run: Guard) {
    this.#service = service;
    this.#run = run;
  }

  async queryInstances(query?: InstanceQuery): Promise<InstanceQueryPage> {
    return this.#run("queryInstances", () => queryInstances(this.#service, query));
  }

  async countInstances(
    filter?: InstanceQueryFilter,
    by?: readonly CountKey[],
  ): Promise<readonly InstanceCount[]> {
    return this.#run("countInstances", () => countInstances(this.#service, filter, by));
  }

  async listWork(query?: WorkQuery): Promise<WorkPage> {
    return this.#run("listWork", () => listWork(this.#service, query));
  }

  async listDeadLetters(query?: DeadLetterQuery): Promise<DeadLetterPage> {
    return this.#run("listDeadLetters", () => listDeadLetters(this.#service, query));
  }

  async requeueDeadLetter(id: string): Promise<boolean> {
    return this.#run("requeueDeadLetter", () => requeueDeadLetter(this.#service, id));
  }

  async dropDeadLetter(id: string): Promise<boolean> {
    return this.#run("dropDeadLetter", () => dropDeadLetter(this.#service, id));
  }

  async listWorkers(): Promise<readonly Worker[]> {
    return this.#run("listWorkers", () => listWorkers(this.#service));
  }

  async reportWorker(report: WorkerReport): Promise<void> {
    return this.#run("reportWorker", () => reportWorker(this.#service, report));
  }

  async removeWorker(workerId: string): Promise<void> {
    return this.#run("removeWorker", () => removeWorker(this.#service, workerId));
  }
}

/**
 * Plays the operators, from outside of any worker: Marta approves each of her orders once it waits for her. Jonas is on
 * leave, so his order waits until its time is up.
 */
import type { Client } from "@duroxide-ts/core";
import type { OrderProgress } from "./progress.ts";
import { approval, fulfilOrder, WAITING_FOR_APPROVAL } from "./workflow.ts";

const OPERATOR = "marta";

export class Operator {
  readonly #client: Client;
  readonly #approved = new Set<string>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Approves what waits for Marta and has no approval of hers yet. */
  async approve(progress: readonly OrderProgress[]): Promise<void> {
    for (const { order, step } of progress) {
      if (order.approver !== OPERATOR || step !== WAITING_FOR_APPROVAL || this.#approved.has(order.id))
        continue;
      await this.#client.handle(fulfilOrder, order.id).raise(approval, { by: OPERATOR });
      this.#approved.add(order.id);
    }
  }
}

/**
 * Faults of deliveries to other instances, for each message and attempt of its own (hazard W45): the request that
 * creates the message at its target, or the one that removes the intent at its source.
 */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { operationsIn, refused, type SentOperation } from "./refused-batch.ts";

type Next = (request: PipelineRequest) => Promise<PipelineResponse>;

/**
 * `answer lost`: it was created, and the sender does not hear of it. `refused`: the partition of the target is full.
 * After all others the connection breaks.
 */
export type DeliveryFault = "before the create" | "answer lost" | "before the removal" | "refused";

const FULL = { index: 0, status: 403, substatus: 1014 };

export class DeliveryFaults {
  readonly #fault: DeliveryFault;
  readonly #mostAttempts: (message: number) => number;
  /** Attempts so far, by the receipt that is created or the intent that is removed. */
  readonly #attempts = new Map<string, number>();
  #requests = 0;

  /** `attempts` of the nth message, counted from 0, fail. */
  constructor(fault: DeliveryFault, attempts: (message: number) => number) {
    this.#fault = fault;
    this.#mostAttempts = attempts;
  }

  /** How many attempts were made, for each message. */
  get attempts(): readonly number[] {
    return [...this.#attempts.values()];
  }

  /** How many requests of the kind that may fail were made. */
  get requests(): number {
    return this.#requests;
  }

  readonly pass = async (request: PipelineRequest, next: Next): Promise<PipelineResponse> => {
    const operations = operationsIn(request);
    const keys = this.#fault === "before the removal" ? removedIn(operations) : deliveredIn(operations);
    if (keys.length > 0) this.#requests++;
    const isSpoilt = keys.map((key) => this.#count(key)).includes(true);
    if (!isSpoilt) return next(request);
    if (this.#fault === "refused") return refused(request, FULL);
    if (this.#fault === "answer lost") await next(request);
    throw Object.assign(new Error("the connection was cut"), { code: "ECONNRESET" });
  };

  #count(key: string): boolean {
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    return attempt <= this.#mostAttempts([...this.#attempts.keys()].indexOf(key));
  }
}

function deliveredIn(operations: readonly SentOperation[]): readonly string[] {
  return operations.flatMap(({ resourceBody }) =>
    resourceBody?.type === "receipt" && resourceBody.id !== undefined ? [resourceBody.id] : [],
  );
}

function removedIn(operations: readonly SentOperation[]): readonly string[] {
  return operations.flatMap(({ operationType, id }) =>
    operationType === "Delete" && id?.startsWith("intent:") ? [id] : [],
  );
}

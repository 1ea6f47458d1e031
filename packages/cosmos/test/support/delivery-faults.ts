/**
 * Faults of deliveries to other instances, for each message and attempt of its own (hazard W45): the request that
 * creates the message at its target, or the one that removes the intent at its source.
 */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";

type Next = (request: PipelineRequest) => Promise<PipelineResponse>;

/** `answer lost`: it was created, and the sender does not hear of it. */
export type DeliveryFault = "before the create" | "answer lost" | "before the removal";

interface Operation {
  readonly operationType: string;
  readonly id?: string;
  readonly resourceBody?: { readonly id?: string; readonly type?: string };
}

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
    if (this.#fault === "answer lost") await next(request);
    throw Object.assign(new Error("the connection was cut"), { code: "ECONNRESET" });
  };

  #count(key: string): boolean {
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    return attempt <= this.#mostAttempts([...this.#attempts.keys()].indexOf(key));
  }
}

function operationsIn({ headers, body }: PipelineRequest): readonly Operation[] {
  const isBatch = headers.get("x-ms-cosmos-is-batch-request")?.toLowerCase() === "true";
  return isBatch && typeof body === "string" ? (JSON.parse(body) as readonly Operation[]) : [];
}

function deliveredIn(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap(({ resourceBody }) =>
    resourceBody?.type === "receipt" && resourceBody.id !== undefined ? [resourceBody.id] : [],
  );
}

function removedIn(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap(({ operationType, id }) =>
    operationType === "Delete" && id?.startsWith("intent:") ? [id] : [],
  );
}

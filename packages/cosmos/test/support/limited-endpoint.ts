/**
 * An endpoint whose container has a throughput, in virtual time: what waits for request units waits for the clock, on a
 * machine of any speed. It counts what is spent, and how often each piece of a staged commit was put.
 */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosProvider, type CosmosProviderOptions } from "@duroxide-ts/cosmos";
import { InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import { requestsTo, type SendRequest } from "../../../../test/support/stores/in-process.ts";
import { operationsIn, type SentOperation } from "./refused-batch.ts";

const NAMES = { database: "limited", container: "limited" } as const;

/** Time of a request there and back, ms. */
const DISTANCE_MS = 5;

export class LimitedEndpoint implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock(Date.now());
  readonly warnings: string[] = [];
  /** How often each piece was stored, by its id. */
  readonly puts: Map<string, number> = new Map();
  requests = 0;
  refusals = 0;
  charge = 0;
  /** Called before a batch is sent: it may be made to wait. */
  onBatch: (operations: readonly SentOperation[]) => Promise<void> | void = () => {};
  readonly #endpoint: InProcessEndpoint;
  readonly #send: SendRequest;
  readonly #opened: CosmosProvider[] = [];

  constructor() {
    const { clock } = this;
    this.#endpoint = new InProcessEndpoint({
      // The client signs its requests with the time of the machine.
      now: () => Date.now(),
      monotonicMs: () => clock.now(),
      newId: () => crypto.randomUUID(),
      random: () => 0.5,
      wait: (delayMs) => new Promise((resolve) => clock.schedule(delayMs, resolve)),
    });
    this.#send = requestsTo(this.#endpoint);
  }

  /** Request units per second; undefined takes the limit away. */
  limit(requestUnits: number | undefined): void {
    this.#endpoint.faults.setBudget(NAMES.database, NAMES.container, requestUnits);
  }

  async connect(options: CosmosProviderOptions = {}): Promise<CosmosProvider> {
    const { endpoint, key } = this.#endpoint;
    const provider = await CosmosProvider.connectThrough(
      {
        endpoint,
        key,
        ...NAMES,
        clock: this.clock,
        membership: false,
        onWarning: (message) => this.warnings.push(message),
        ...options,
      },
      (request) => this.#pass(request),
    );
    this.#opened.push(provider);
    return provider;
  }

  async #pass(request: PipelineRequest): Promise<PipelineResponse> {
    const operations = operationsIn(request);
    if (operations.length > 0) await this.onBatch(operations);
    await new Promise<void>((resolve) => this.clock.schedule(DISTANCE_MS, resolve));
    const response = await this.#send(request);
    this.requests++;
    this.charge += Number(response.headers.get("x-ms-request-charge") ?? 0);
    if (response.status === 429) this.refusals++;
    if (response.status === 200) this.#count(operations);
    return response;
  }

  #count(operations: readonly SentOperation[]): void {
    for (const { resourceBody } of operations) {
      if (resourceBody?.type !== "staged") continue;
      const id = resourceBody.id ?? "";
      this.puts.set(id, (this.puts.get(id) ?? 0) + 1);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const provider of this.#opened) await provider.close();
    await this.#endpoint[Symbol.asyncDispose]();
  }
}

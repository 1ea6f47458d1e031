/** A worker of ours in this process. */
import { Runtime, type RuntimeOptions } from "@duroxide-ts/core";
import { CosmosProvider, type CosmosProviderOptions } from "@duroxide-ts/cosmos";
import { CODEC, type Place } from "./place.ts";

/** The options of the runtime, and the listener to the requests. */
export type OurWorkerOptions = Pick<
  RuntimeOptions,
  "orchestrations" | "activities" | "workerTagFilter" | "orchestrationConcurrency" | "workerConcurrency"
> &
  Pick<CosmosProviderOptions, "onRequest"> & {
    /** The most activities of a fused turn; the store's by default. */
    readonly maxFusedActivities?: number;
  };

/** How soon a worker takes over from a dead one. With much less a busy machine loses leases of the living. */
export const LEASE_MS = 3_000;

export class OurWorker implements AsyncDisposable {
  readonly #provider: CosmosProvider;
  readonly #runtime: Runtime;

  private constructor(provider: CosmosProvider, runtime: Runtime) {
    this.#provider = provider;
    this.#runtime = runtime;
  }

  static async serve(
    place: Place,
    { onRequest = () => {}, maxFusedActivities, ...options }: OurWorkerOptions,
  ): Promise<OurWorker> {
    const provider = await CosmosProvider.connect({ ...place, onRequest });
    if (maxFusedActivities !== undefined) Object.assign(provider, { maxFusedActivities });
    const runtime = await Runtime.start({
      provider,
      codec: CODEC,
      orchestratorLockTimeoutMs: LEASE_MS,
      workerLockTimeoutMs: LEASE_MS,
      ...options,
    });
    return new OurWorker(provider, runtime);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime.shutdown({ graceMs: 1_000 });
    await this.#provider.close();
  }
}

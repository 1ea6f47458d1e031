/** A fresh container, for callers that open and close it at different places. */
import type { CosmosProvider } from "@duroxide-ts/cosmos";
import { type ContainerOptions, withContainer } from "./with-container.ts";

export interface HeldContainer extends AsyncDisposable {
  readonly provider: CosmosProvider;
}

/** Disposing closes the provider and removes the container. */
export async function holdContainer(options: ContainerOptions): Promise<HeldContainer> {
  const opened = Promise.withResolvers<CosmosProvider>();
  const released = Promise.withResolvers<void>();
  const closed = withContainer(options, async (provider) => {
    opened.resolve(provider);
    await released.promise;
  });
  closed.catch(opened.reject);
  const provider = await opened.promise;
  return {
    provider,
    async [Symbol.asyncDispose]() {
      released.resolve();
      await closed;
    },
  };
}

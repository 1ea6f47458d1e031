/**
 * A provider that keeps large payloads as blobs and references in their place (docs/decisions/payloads.md).
 *
 * - with-offload.WO1: Callers of the provider always get whole payloads: only the store has references.
 * - with-offload.WO2: A text with the prefix of a reference becomes a blob whatever its size, so every such text in the
 *   store is a reference.
 * - with-offload.WO3: Calls without large payloads are passed on unchanged.
 */
import type { ProviderAdmin } from "../contract/admin.ts";
import { type Clock, systemClock } from "../contract/clock.ts";
import type { Provider } from "../contract/provider.ts";
import { LogLimit } from "../define/log-limit.ts";
import type { Logger } from "../define/logger.ts";
import { toLogger } from "../define/observers.ts";
import { ConfigurationError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import type { BlobStore } from "./blob-store.ts";
import { Blobs } from "./blobs.ts";
import { type FetchTools, fetchOrchestration, fetchWork } from "./offloaded-fetches.ts";
import { OffloadedReads } from "./offloaded-reads.ts";
import { OffloadedWrites } from "./offloaded-writes.ts";
import { overriding } from "./overriding.ts";

/** The options of `withOffload`. */
export interface OffloadOptions {
  /** The same for all processes of the store. */
  readonly store: BlobStore;
  /** 100,000 by default. Texts with more UTF-8 bytes, as the codec writes them, become blobs. */
  readonly aboveBytes?: number;
  /** Receives warnings of payloads that cannot be read. They go to stderr (`stderrLogger`) by default. */
  readonly logger?: Logger;
  readonly clock?: Clock;
}

const OPTIONS: OptionList = optionList<OffloadOptions>({
  store: true,
  aboveBytes: true,
  logger: true,
  clock: true,
});

/**
 * The provider with large payloads in a blob store. Pass it to every runtime and client of the store, together with a
 * suitable `maxPayloadBytes`. Blobs are never deleted; Rust workers read references
 * (docs/guide/15-encryption-and-offloading.md).
 *
 * @example
 * ```ts
 * const store = fileBlobStore("/var/lib/orders/blobs");
 * const provider = withOffload(await SqliteProvider.open("orders.db"), { store });
 * await Runtime.start({ provider, orchestrations, activities, maxPayloadBytes: 50_000_000 });
 * ```
 */
export function withOffload<P extends Provider>(provider: P, options: OffloadOptions): P {
  checkOptions("withOffload", options, OPTIONS);
  const { store, aboveBytes = 100_000, clock = systemClock } = options;
  if (!Number.isInteger(aboveBytes) || aboveBytes < 0) {
    throw new ConfigurationError(`aboveBytes must be a whole number of 0 or more; got ${shown(aboveBytes)}`);
  }
  const logger = toLogger(options.logger, clock);
  const blobs = new Blobs(store, aboveBytes);
  const tools = { provider, blobs, clock, logger, logLimit: new LogLimit(clock) };
  const writes = new OffloadedWrites(provider, blobs);
  const reads = new OffloadedReads(provider, blobs);
  const { admin } = provider;
  return overriding<Provider, P>(provider, {
    ...writes.methods(),
    ...fetchesOf(tools),
    ...reads.methods(),
    admin: overriding<ProviderAdmin, ProviderAdmin>(admin, {
      ...reads.adminMethods(admin),
      ...writes.adminMethods(admin),
    }),
  });
}

function fetchesOf(tools: FetchTools): Partial<Provider> {
  return {
    fetchOrchestrationItem: (options) => fetchOrchestration(tools, options),
    fetchWorkItem: (options) => fetchWork(tools, options),
  };
}

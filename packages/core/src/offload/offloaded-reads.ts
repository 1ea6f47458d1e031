/** Loads the payloads of reads. A missing blob is `corrupt-data`, a blob that cannot be read `unavailable`. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { Provider } from "../contract/provider.ts";
import { MOST_LISTED_BYTES } from "../contract/query-arguments.ts";
import type { Blobs } from "./blobs.ts";
import { collectTexts, replaceTexts } from "./payload-texts.ts";
import { bytesOfReference, looksLikeReference } from "./reference.ts";

export class OffloadedReads {
  readonly #provider: Provider;
  readonly #blobs: Blobs;

  constructor(provider: Provider, blobs: Blobs) {
    this.#provider = provider;
    this.#blobs = blobs;
  }

  methods(): Partial<Provider> {
    const provider = this.#provider;
    return {
      readHistory: async (instanceId, executionId) =>
        this.#all("readHistory", await provider.readHistory(instanceId, executionId)),
      getInstanceStatus: async (instanceId) =>
        this.#one("getInstanceStatus", await provider.getInstanceStatus(instanceId)),
      getKvValues: async (instanceId, only) => {
        const values = [...(await provider.getKvValues(instanceId, only))];
        const entries = values.map(([key, value]) => ({ key, value }));
        const whole = await this.#all("getKvValues", entries);
        return new Map(whole.map(({ key, value }) => [key, value]));
      },
    };
  }

  adminMethods(admin: ProviderAdmin): Partial<ProviderAdmin> {
    return {
      getInstanceInfo: async (instanceId) =>
        this.#one("getInstanceInfo", await admin.getInstanceInfo(instanceId)),
      listExecutions: async (instanceId, executionId) => {
        const executions = await admin.listExecutions(instanceId, executionId);
        const listed = executionId === undefined ? executions.map(withoutLarge) : executions;
        return this.#all("listExecutions", listed);
      },
      queryInstances: async (query) => {
        const page = await admin.queryInstances(query);
        return { ...page, instances: await this.#all("queryInstances", page.instances.map(withoutLarge)) };
      },
    };
  }

  async #one<T extends object | undefined>(operation: string, record: T): Promise<T> {
    if (record === undefined) return record;
    const [whole] = await this.#all(operation, [record]);
    return whole ?? record;
  }

  async #all<T extends object>(operation: string, records: readonly T[]): Promise<readonly T[]> {
    const references = new Set<string>();
    for (const record of records) collectTexts(record, looksLikeReference, references);
    if (references.size === 0) return records;
    const texts = await this.#blobs.load(operation, references);
    return records.map((record) => replaceTexts(record, texts));
  }
}

/** A list has no large outputs, so their blobs are not read. */
function withoutLarge<T extends { readonly output: string | null }>(listed: T): T {
  const bytes = listed.output === null ? 0 : bytesOfReference(listed.output);
  return bytes > MOST_LISTED_BYTES ? { ...listed, output: null } : listed;
}

/** A store with messages that no version can read, as another writer may have left them. */
import type { DeadLetterPage, Provider } from "@duroxide-ts/core/stores";
import { openStore, type StoreName, type TestStore } from "./stores.ts";

export const UNREADABLE = '{"Unheard":{"of":"<b>1</b>"}}';

export class SpoiltStore implements AsyncDisposable {
  readonly #store: TestStore;

  private constructor(store: TestStore) {
    this.#store = store;
  }

  /** Opens a store with a message for each of the instances, which is a dead letter already. */
  static async open(name: StoreName, instanceIds: readonly string[]): Promise<SpoiltStore> {
    const store = await openStore(name);
    await store.putMessages(instanceIds, UNREADABLE);
    const spoilt = new SpoiltStore(store);
    await spoilt.setAside(instanceIds.length);
    return spoilt;
  }

  get provider(): Provider {
    return this.#store.provider;
  }

  /** Fetches until there are so many dead letters. */
  async setAside(count: number): Promise<void> {
    while ((await this.letters()).length < count)
      await this.provider.fetchOrchestrationItem({ lockTimeoutMs: 5_000, pollTimeoutMs: 0 });
  }

  /** The instances of all dead letters. */
  async letters(): Promise<readonly string[]> {
    const ids: string[] = [];
    let continuation: string | undefined;
    do {
      const page = await this.#page(continuation);
      ids.push(...page.deadLetters.map(({ instanceId }) => instanceId));
      continuation = page.continuation;
    } while (continuation !== undefined);
    return ids.sort();
  }

  async #page(continuation: string | undefined): Promise<DeadLetterPage> {
    const query = continuation === undefined ? {} : { continuation };
    return this.provider.admin.listDeadLetters(query);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#store[Symbol.asyncDispose]();
  }
}

/** Cosmos DB for the validation kit. */
import type { Container } from "@azure/cosmos";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import type { ArmedFault, Capabilities, ProviderFactory, TestStore } from "@duroxide-ts/provider-tests";
import { UNHURRIED } from "../../../../test/support/stores/requests.ts";
import { Faults } from "./faults.ts";
import type { KitPlace } from "./kit-place.ts";
import { undecodableRow } from "./queue-row.ts";
import { SeenSession } from "./seen-session.ts";

const capabilities: Omit<Capabilities, "clock"> = {
  polling: "long",
  // Between two polls for what other processes wrote.
  responseMs: 1_000,
  storageCalls: "several",
  batches: "completions-first",
  historyTags: true,
};

/** Virtual time waits for each request of an idle process, so these are rare. */
const TIMES = { ...UNHURRIED, reconcilerIntervalMs: 300_000, membership: { beatMs: 60_000 } };

export function cosmosFactory(name: string, place: KitPlace): ProviderFactory {
  return {
    name,
    capabilities: { ...capabilities, clock: place.clock },
    async open({ clock, storeId }): Promise<TestStore> {
      const room = place.enter(storeId);
      const faults = new Faults();
      const session = new SeenSession();
      const opened: CosmosProvider[] = [];
      const openAnother = async (): Promise<CosmosProvider> => {
        const times = place.clock === "virtual" ? TIMES : { reconcilerIntervalMs: 15_000 };
        const options = { ...place.optionsFor(storeId), clock, ...times };
        const provider = await CosmosProvider.connectThrough(options, (request, next) =>
          faults.pass(request, async (passed) => {
            const response = await (place.send ?? next)(passed);
            session.note(response);
            return response;
          }),
        );
        opened.push(provider);
        return provider;
      };
      const provider = await openAnother();
      const { client, container } = place.openContainer(storeId);
      return {
        provider,
        openAnother,
        corruptHistory: (instanceId) => corruptHistory(container, instanceId, session),
        maxAttemptCount: (instanceId) => maxAttemptCount(container, instanceId, session),
        putUndecodableRow: (queue, instanceId) => putUndecodableRow(container, queue, instanceId),
        failStorageCall: (nth, when): ArmedFault => faults.arm(nth, when),
        idle: () => faults.idle(),
        async [Symbol.asyncDispose]() {
          for (const each of opened) await each.close();
          await place.clear(container, session.token);
          client.dispose();
          room[Symbol.dispose]();
        },
      };
    },
  };
}

async function corruptHistory(container: Container, instanceId: string, session: SeenSession): Promise<void> {
  const query = "SELECT * FROM c WHERE c.type = 'history' OR c.type = 'instance'";
  const options = { partitionKey: instanceId, ...session.options };
  const { resources } = await container.items.query(query, options).fetchAll();
  for (const { duroxideTs: notes, ...document } of resources) {
    // Without the turns in the notes no process takes the history that it holds for the current one.
    const changed =
      document.type === "history"
        ? { ...document, eventData: '{"type":"Unheard-of"}' }
        : { ...document, duroxideTs: { ...notes, turns: [] } };
    await container.items.upsert(changed);
  }
}

async function maxAttemptCount(
  container: Container,
  instanceId: string,
  session: SeenSession,
): Promise<number> {
  const query =
    "SELECT c.attemptCount, c.duroxideTs FROM c WHERE c.type = 'orch_queue' OR c.type = 'instance'";
  const options = { partitionKey: instanceId, ...session.options };
  const { resources } = await container.items.query(query, options).fetchAll();
  const counts = resources.flatMap(({ attemptCount = 0, duroxideTs }) => [
    Number(attemptCount),
    ...Object.values<number>(duroxideTs?.taken ?? {}),
  ]);
  return Math.max(0, ...counts);
}

async function putUndecodableRow(
  container: Container,
  queue: "orchestrator" | "worker",
  instanceId: string,
): Promise<void> {
  const type = queue === "orchestrator" ? "orch_queue" : "worker_queue";
  await container.items.create(undecodableRow(type, instanceId));
}

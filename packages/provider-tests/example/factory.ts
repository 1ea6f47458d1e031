/** How the kit opens the example, and how it looks and reaches into it where the contract offers no way. */
import type { ProviderFactory } from "@duroxide-ts/provider-tests";
import { ExampleProvider } from "./provider.ts";
import { emptyTables, type OrchestratorRow, type WorkerRow } from "./tables.ts";

const UNDECODABLE = '{"type":"Unheard-of"}';

export const example: ProviderFactory = {
  name: "example",
  capabilities: { clock: "virtual", polling: "short", storageCalls: "one" },
  async open({ clock }) {
    const tables = emptyTables();
    const providers: ExampleProvider[] = [];
    const openAnother = async (): Promise<ExampleProvider> => {
      const provider = new ExampleProvider({ clock, tables });
      providers.push(provider);
      return provider;
    };
    return {
      provider: await openAnother(),
      openAnother,
      async corruptHistory(instanceId) {
        for (const { events } of tables.executions.get(instanceId) ?? [])
          for (const id of events.keys()) events.set(id, UNDECODABLE);
      },
      async maxAttemptCount(instanceId) {
        const rows = [...tables.orchestratorQueue].filter((row) => row.instanceId === instanceId);
        return Math.max(0, ...rows.map(({ attempts }) => attempts));
      },
      async putUndecodableRow(queue, instanceId) {
        if (queue === "orchestrator") tables.orchestratorQueue.add(undecodableMessage(instanceId));
        else tables.workerQueue.add(undecodableActivity(instanceId));
      },
      async [Symbol.asyncDispose]() {
        for (const provider of providers) await provider[Symbol.asyncDispose]();
      },
    };
  },
};

function undecodableMessage(instanceId: string): OrchestratorRow {
  return {
    instanceId,
    text: UNDECODABLE,
    parentId: undefined,
    orderAtMs: 0,
    visibleAtMs: 0,
    attempts: 0,
    deliveredTo: undefined,
  };
}

function undecodableActivity(instanceId: string): WorkerRow {
  return {
    instanceId,
    executionId: 1,
    activityId: 999,
    sessionId: undefined,
    tag: undefined,
    text: UNDECODABLE,
    visibleAtMs: 0,
    attempts: 0,
    lock: undefined,
  };
}

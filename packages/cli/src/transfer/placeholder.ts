/**
 * The instance that an import stores its histories in. Until its last commit it has the name of an orchestration that no
 * process has, so no worker runs it, whenever the import ends (docs/decisions/verbs.md).
 */
import type { Provider } from "@duroxide-ts/core";
import type { FetchedOrchestration, InstanceInfo, WorkItemOf } from "@duroxide-ts/core/stores";
import { CommandError, EXIT } from "../errors/exit-code.ts";

const NAME = "duroxide-import";
const VERSION = "0.0.0";

/** Long enough for one commit. The next import waits for it if its process ends before the commit. */
const LOCK_MS = 10_000;

export function isPlaceholder({ orchestrationName }: Pick<InstanceInfo, "orchestrationName">): boolean {
  return orchestrationName === NAME;
}

/** A start of an import whose process ended before its first commit gets its placeholder too. */
export async function storePlaceholder(
  provider: Provider,
  instanceId: string,
  parentId: string | null,
): Promise<void> {
  await provider.enqueueForOrchestrator(startOf(instanceId, parentId));
  let storedId: string | undefined;
  while (storedId !== instanceId) {
    const fetched = await provider.fetchOrchestrationItem({
      lockTimeoutMs: LOCK_MS,
      pollTimeoutMs: 2 * LOCK_MS,
      orchestrations: new Set([NAME]),
    });
    if (fetched === undefined) {
      throw new CommandError(
        EXIT.failed,
        `${instanceId} is locked by another process; stop other imports and workers, and import again`,
      );
    }
    await storeEmpty(provider, fetched);
    storedId = fetched.item.instanceId;
  }
}

function startOf(instance: string, parentId: string | null): WorkItemOf<"StartOrchestration"> {
  return {
    kind: "StartOrchestration",
    instance,
    orchestration: NAME,
    input: "null",
    version: VERSION,
    parent_instance: parentId,
    parent_id: null,
    execution_id: 1,
  };
}

async function storeEmpty(provider: Provider, { item, lockToken }: FetchedOrchestration): Promise<void> {
  const start = item.messages.find((message) => message.kind === "StartOrchestration");
  if (item.orchestrationName !== NAME || start === undefined) {
    await provider.abandonOrchestrationItem(lockToken, { ignoreAttempt: true });
    throw new CommandError(
      EXIT.failed,
      `The store has work of its own, for ${item.instanceId}; import into a store without work and workers`,
    );
  }
  const { parent_instance: parent } = start;
  await provider.ackOrchestrationItem({
    lockToken,
    executionId: item.executionId,
    historyDelta: [],
    workerItems: [],
    orchestratorItems: [],
    metadata: {
      orchestrationName: NAME,
      orchestrationVersion: VERSION,
      ...(parent !== null && { parentInstanceId: parent }),
    },
    cancelledActivities: [],
  });
}

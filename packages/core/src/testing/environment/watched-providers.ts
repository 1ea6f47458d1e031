/** The store of an environment for its runtimes and its client, with their calls recorded. */

import type { ProviderAdmin } from "../../contract/admin.ts";
import { storedStatus } from "../../contract/listed-status.ts";
import type { Provider, TurnContent } from "../../contract/provider.ts";
import type { FailureWatch } from "./failure-watch.ts";
import type { HistoryRecorder } from "./history-recorder.ts";

/** Wraps the provider of runtimes: records the events of a turn after its commit. */
export function recordingProvider(
  provider: Provider,
  recorder: HistoryRecorder,
  failures: FailureWatch,
): Provider {
  const note = ({ historyDelta }: TurnContent): void => {
    recorder.note(historyDelta);
    for (const event of historyDelta) {
      if (event.type === "OrchestrationStarted") failures.noteSeen(event.instance_id);
      if (event.type === "OrchestrationFailed") failures.noteFailed(event.instance_id, event.details);
    }
  };
  return withChanges(provider, {
    ackOrchestrationItem: async (ack) => {
      const acked = await provider.ackOrchestrationItem(ack);
      note(ack);
      return acked;
    },
    ackFusedTurn: async (ack) => {
      const outcome = await provider.ackFusedTurn(ack);
      if (outcome.kind === "committed") note(ack);
      return outcome;
    },
  });
}

/** Wraps the provider of the test's client: every call that returns the failure of an instance counts as reading it. */
export function observedProvider(provider: Provider, failures: FailureWatch): Provider {
  const { admin } = provider;
  return withChanges(provider, {
    getInstanceStatus: async (instanceId) => {
      const status = await provider.getInstanceStatus(instanceId);
      if (status?.status === "Failed") failures.noteSeen(instanceId);
      return status;
    },
    readHistory: async (instanceId, executionId) => {
      failures.noteSeen(instanceId);
      return provider.readHistory(instanceId, executionId);
    },
    admin: observedAdmin(admin, failures),
  });
}

function observedAdmin(admin: ProviderAdmin, failures: FailureWatch): ProviderAdmin {
  return withChanges(admin, {
    queryInstances: async (query) => {
      const page = await admin.queryInstances(query);
      for (const { instanceId, failure } of page.instances) if (failure) failures.noteSeen(instanceId);
      return page;
    },
    getInstanceInfo: async (instanceId) => {
      const info = await admin.getInstanceInfo(instanceId);
      if (storedStatus(info.status) === "Failed") failures.noteSeen(instanceId);
      return info;
    },
    listExecutions: async (instanceId, executionId) => {
      const executions = await admin.listExecutions(instanceId, executionId);
      if (executions.some(({ status }) => status === "Failed")) failures.noteSeen(instanceId);
      return executions;
    },
  });
}

/** The object with some members replaced. The others run on the object itself, because its state is private. */
function withChanges<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get: (_target, name) => {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

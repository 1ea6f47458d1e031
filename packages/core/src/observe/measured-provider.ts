/** A provider that measures the duration of calls and counts errors; all else is passed on unchanged. */
import type { Clock } from "../contract/clock.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { Instruments } from "./instruments.ts";

/** The label of each measured method; the first eight are the Rust runtime's. */
const OPERATIONS: Readonly<Partial<Record<PropertyKey, string>>> = {
  fetchOrchestrationItem: "fetch_orchestration_item",
  ackOrchestrationItem: "ack_orchestration_item",
  fetchWorkItem: "fetch_work_item",
  ackWorkItem: "ack_work_item",
  readHistory: "read",
  enqueueForOrchestrator: "enqueue_orchestrator",
  startInstance: "start_instance",
  ackFusedTurn: "ack_fused_turn",
  renewSessionLocks: "renew_session_lock",
  cleanupOrphanedSessions: "cleanup_orphaned_sessions",
  abandonOrchestrationItem: "abandon_orchestration_item",
  abandonWorkItem: "abandon_work_item",
  renewOrchestrationItemLock: "renew_orchestration_item_lock",
  renewWorkItemLock: "renew_work_item_lock",
  getKvValues: "get_kv_values",
} satisfies Partial<Record<keyof Provider, string>>;

type Method = (...args: unknown[]) => unknown;

/** A proxy, so that optional methods of the contract stay absent or present as they are. */
export function measureProvider(provider: Provider, clock: Clock, instruments: Instruments): Provider {
  const bound = new Map<PropertyKey, Method>();
  return new Proxy(provider, {
    get(target, key) {
      const known = bound.get(key);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      const method = value.bind(target) as Method;
      const operation = OPERATIONS[key];
      const measured = operation === undefined ? method : measure(method, operation, clock, instruments);
      bound.set(key, measured);
      return measured;
    },
  });
}

function measure(method: Method, operation: string, clock: Clock, instruments: Instruments): Method {
  return async (...args) => {
    const startedAtMs = clock.now();
    const record = (status: "success" | "error"): void =>
      instruments.providerDurations.record((clock.now() - startedAtMs) / 1_000, { operation, status });
    try {
      const result = await method(...args);
      record("success");
      return result;
    } catch (error) {
      record("error");
      const errorType = ProviderError.is(error) ? error.code : "internal";
      instruments.providerErrors.add(1, { operation, error_type: errorType });
      throw error;
    }
  };
}

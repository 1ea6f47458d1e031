/** Documents as the Rust provider stores them, in the properties that its queries read. */
import type { JsonValue } from "../../../src/protocol/json.ts";

/** A stored document, of whichever type. */
export interface StoredItem {
  readonly id: string;
  readonly instanceId: string;
  readonly type: string;
  readonly [name: string]: JsonValue;
}

const INSTANCES = 40;

/** Some hundred documents of all types, so that the endpoint creates indexes; each query finds some and leaves some. */
export function storedItems(): readonly StoredItem[] {
  return Array.from({ length: INSTANCES }, (_, n) => itemsOf(n)).flat();
}

function itemsOf(n: number): readonly StoredItem[] {
  const instanceId = `instance-${n}`;
  const item = (type: string, id: string, more: Readonly<Record<string, JsonValue>>): StoredItem => ({
    ...more,
    id: `${instanceId}-${id}`,
    instanceId,
    type,
  });
  const lock = {
    lockToken: n % 7 === 0 ? `token-${instanceId}` : null,
    lockedUntil: [null, 100 + n, 900 + n][n % 3] ?? null,
  };
  const message = (at: number) => ({
    ...(n % 4 === 0 ? {} : lock),
    visibleAt: (n * 61 + at * 400) % 1000,
    // Equal for some, which then come in the order of insertion.
    enqueuedAt: 1000 - at,
    attemptCount: at,
  });
  return [
    item("instance", "instance", {
      ...lock,
      status: n % 2 === 0 ? "Running" : "Completed",
      parentInstanceId: n % 5 === 0 ? null : `instance-${n % 5}`,
    }),
    ...[2, 0, 1, 3].map((at) => item("history", `history-${at}`, { executionId: 1 + (at % 2), eventId: at })),
    ...[0, 1, 1, 2].map((at, index) => item("orch_queue", `message-${index}`, message(at))),
    ...[0, 1, 2].map((at) =>
      item("worker_queue", `work-${at}`, {
        ...message(at),
        executionId: 1,
        activityId: at,
        sessionId: at === 1 ? "s" : null,
        ...([{}, { tag: null }, { tag: "gpu" }, { tag: "other" }][(n + at) % 4] ?? {}),
      }),
    ),
    item("outbox_intent", "intent", { status: n % 3 === 0 ? "sent" : "pending", createdAt: n * 20 }),
    item("session", "session", { lockedUntil: n * 25 }),
    item("kv", "kv", { value: n }),
    item("kv_delta", "kv_delta", { value: null }),
  ];
}

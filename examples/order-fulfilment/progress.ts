/** How far the orders are, read from the database alone: the worker is not asked, it may be dead. */
import type { Client, EventOf, HistoryEvent } from "@duroxide-ts/core";
import type { Order, Outcome } from "./orders.ts";
import { fulfilOrder } from "./workflow.ts";

export interface OrderProgress {
  readonly order: Order;
  readonly state: "not started" | "running" | "finished";
  /** Step that the orchestration reports as its custom status. */
  readonly step: string;
  readonly outcome: Outcome | undefined;
  /** Activities of the order and of its shipments. */
  readonly activities: readonly RecordedActivity[];
  /** The stored events, by instance: the order's own, and those of its shipments. */
  readonly histories: ReadonlyMap<string, readonly HistoryEvent[]>;
}

/** An activity that was asked for, with the results that history has for it: none while it runs, then one. */
export interface RecordedActivity {
  readonly key: string;
  readonly name: string;
  readonly results: readonly (EventOf<"ActivityCompleted"> | EventOf<"ActivityFailed">)[];
}

export function readProgress(client: Client, orders: readonly Order[]): Promise<readonly OrderProgress[]> {
  return Promise.all(orders.map((order) => readOrderProgress(client, order)));
}

async function readOrderProgress(client: Client, order: Order): Promise<OrderProgress> {
  const status = await client.handle(fulfilOrder, order.id).status();
  if (status.status === "NotFound") {
    const nothing = { activities: [], histories: new Map() };
    return { order, state: "not started", step: "not started", outcome: undefined, ...nothing };
  }
  const { allIds } = await client.admin.tree(order.id);
  const histories = new Map<string, readonly HistoryEvent[]>();
  for (const id of allIds) histories.set(id, await client.admin.history(id));
  const activities = [...histories.values()].flatMap(activitiesIn);
  const common = { order, activities, histories };
  if (status.status === "Running" || status.status === "Scheduled" || status.status === "Waiting") {
    return {
      ...common,
      state: "running",
      step: String(status.customStatus ?? "starting"),
      outcome: undefined,
    };
  }
  if (status.status !== "Completed") throw new Error(`${order.id} failed: ${status.message}`);
  return { ...common, state: "finished", step: describe(status.output), outcome: status.output };
}

function activitiesIn(history: readonly HistoryEvent[]): RecordedActivity[] {
  const started = history.find((event) => event.type === "OrchestrationStarted");
  return history
    .filter((event) => event.type === "ActivityScheduled")
    .map(({ instance_id, execution_id, event_id, name }) => ({
      key: `${instance_id}:${started?.run_id}:${execution_id}:${event_id}`,
      name,
      results: history
        .filter((event) => event.type === "ActivityCompleted" || event.type === "ActivityFailed")
        .filter((event) => event.source_event_id === event_id),
    }));
}

export function describe(outcome: Outcome): string {
  if (outcome.status === "cancelled") return `cancelled: ${outcome.reason}`;
  const { length } = outcome.trackingNumbers;
  return length === 1 ? "delivered" : `delivered in ${length} parcels`;
}

export function recorded(progress: readonly OrderProgress[]): readonly RecordedActivity[] {
  return progress.flatMap(({ activities }) => activities.filter(({ results }) => results.length > 0));
}

/**
 * Names the point at which another worker goes on: the activities without a result, or what else the order waits for.
 */
export function whereItStands({ state, step, activities }: OrderProgress): string {
  if (state === "not started") return "the start";
  if (state === "finished") return "(was finished)";
  const open = activities.filter(({ results }) => results.length === 0).map(({ name }) => name);
  if (open.length === 0) return step;
  return [...new Set(open)]
    .map((name) => ({ name, count: open.filter((other) => other === name).length }))
    .map(({ name, count }) => (count === 1 ? name : `${count} x ${name}`))
    .join(", ");
}

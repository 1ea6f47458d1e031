/** Commits and deletions above any batch limit are as atomic as small ones (hazards W2, W13, W46 and W50). */
import { casesOf, type ProviderCase } from "../case.ts";
import { activity, completion, eventOf, raised, scheduled, started, startItem } from "../messages.ts";
import { executionIds, instanceIds, pruneOne } from "../reads.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  customStatusOf,
  fetchOrchestration,
  mustFetch,
  passLock,
} from "../steps.ts";
import { drain } from "./observe.ts";

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const keyValue = (id: number, value: string) =>
  eventOf("KeyValueSet", "a", id, { key: `key-${id}`, value, last_updated_at_ms: 1 });

const MB = 1024 * 1024;

export const large: readonly ProviderCase[] = casesOf("large", {
  async "a fan-in of 150 completions loses none"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    for (const id of upTo(150)) await provider.enqueueForOrchestrator(completion("a", id + 1));
    const received: unknown[] = [];
    for (let next = await fetchOrchestration(context); next; next = await fetchOrchestration(context)) {
      received.push(...next.item.messages);
      const at = next.item.history.length + 1;
      const historyDelta = next.item.messages.map((_, n) => scheduled("a", at + n));
      await ack(context, next, { historyDelta });
    }
    check.equal(
      received,
      upTo(150).map((id) => completion("a", id + 1)),
      "completions, in order",
    );
    check.equal((await provider.readHistory("a")).length, 151, "events");
  },

  async "150 key-value entries are merged when the execution ends"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { historyDelta: upTo(150).map((n) => keyValue(n + 1, `value ${n}`)) });
    await complete(context, "a");
    const all = await provider.getKvValues("a");
    check.equal(all.size, 150, "entries");
    check.equal(all.get("key-151"), "value 150", "the last one");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    check.equal((await mustFetch(context)).item.kvSnapshot.size, 150, "entries of the snapshot");
  },

  async "a commit of 3 MB"(context) {
    const { provider, check } = context;
    const text = "x".repeat(MB / 2);
    const ids = upTo(6).map((n) => n + 1);
    await createInstance(context, "a", {
      historyDelta: ids.map((id) => eventOf("ActivityScheduled", "a", id, { name: "work", input: text })),
      workerItems: [activity("a", 2, { input: text })],
    });
    const events = await provider.readHistory("a");
    check.equal(
      events.map((event) => ("input" in event ? event.input.length : 0)),
      [2, ...ids.map(() => text.length)],
      "inputs",
    );
    check.equal((await drain(context)).activities[0]?.input.length, text.length, "the activity's input");
  },

  async "a custom status of 256 KB"(context) {
    const { provider, check } = context;
    const status = "ü".repeat(128 * 1024);
    await createInstance(context, "a", {
      historyDelta: [eventOf("CustomStatusUpdated", "a", 2, { status })],
    });
    check.equal(await customStatusOf(context, "a", 0), { status, version: 1 }, "the custom status");
    check.equal((await provider.getInstanceStatus("a"))?.customStatus, status, "the same with the status");
  },

  async "a refused large commit leaves nothing behind"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const ids = upTo(150).map((n) => n + 1);
    const refused = ack(context, await mustFetch(context), {
      historyDelta: [...ids.map((id) => keyValue(id, "v")), scheduled("a", 1)],
      workerItems: ids.map((id) => activity("a", id)),
      orchestratorItems: ids.map((id) => startItem(`child-${id}`)),
    });
    await check.rejects(refused, "duplicate-event", "the commit");
    await passLock(context);
    check.equal(await provider.readHistory("a"), [started("a")], "the history");
    check.equal(await provider.getKvValues("a"), new Map(), "the key-value entries");
    const { messages, activities } = await drain(context);
    check.equal([...messages], [["a", [raised("a", "poke")]]], "the messages");
    check.equal(activities, [], "the activities");
  },

  async "a refused large append leaves nothing behind"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const events = upTo(300).map((n) => scheduled("a", n + 1));
    const refused = provider.appendHistory("a", 1, [...events, scheduled("a", 1)]);
    await check.rejects(refused, "duplicate-event", "the append");
    check.equal(await provider.readHistory("a"), [started("a")], "the history");
    await provider.appendHistory("a", 1, events);
    check.equal(await provider.readHistory("a"), [started("a"), ...events], "the history afterwards");
  },

  async "deleting an instance with 5,000 events"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "a");
    for (const part of upTo(10)) {
      const ids = upTo(500).map((n) => (part - 1) * 500 + n + 1);
      await provider.appendHistory(
        "a",
        1,
        ids.map((id) => scheduled("a", id)),
      );
    }
    await complete(context, "a");
    const { eventsDeleted } = await admin.deleteInstance("a");
    check.equal(eventsDeleted, 5_001, "events");
    check.equal(await provider.readHistory("a"), [], "the history");
    check.absent(await provider.getInstanceStatus("a"), "the status");
  },

  async "deleting a tree of 40 instances"(context) {
    const { check, admin } = context;
    await createInstance(context, "root");
    for (const n of upTo(39))
      await createInstance(context, `child-${n}`, {
        parentInstanceId: n === 1 ? "root" : `child-${n >> 1}`,
      });
    check.equal((await admin.deleteInstance("root", { force: true })).instancesDeleted, 40, "instances");
    check.equal(await instanceIds(admin), [], "what is left");
  },

  async "pruning 60 executions"(context) {
    const { provider, check, admin } = context;
    await createInstance(context, "a");
    for (const next of upTo(60).slice(1)) await continueAsNew(context, "a", next);
    check.equal((await pruneOne(admin, "a", { keepLast: 3 })).executionsDeleted, 57, "executions");
    check.equal(await executionIds(admin, "a"), [58, 59, 60], "what is left");
    check.equal(await provider.readHistory("a"), [started("a", 60)], "the current history");
  },
});

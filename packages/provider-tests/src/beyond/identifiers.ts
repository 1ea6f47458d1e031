/** Ids are opaque text: the store interprets no part of them (hazards W47, W59 and W60). */
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, completion, eventOf, raised, scheduled, started, startItem } from "../messages.ts";
import { instanceIds } from "../reads.ts";
import { ack, complete, createInstance, fetchWork, mustFetch, mustFetchWork } from "../steps.ts";

const unusual: Readonly<Record<string, string>> = {
  "single quotes": "it's 'quoted'",
  "double quotes": 'say "hi"',
  backslashes: "a\\b\\",
  slashes: "tenant/7/order/42",
  "question marks and hashes": "what?#now",
  percents: "100%25%2F",
  colons: "a:history:1:1",
  braces: '{"$v":1}',
  "spaces at both ends": " a ",
  "line breaks and tabs": "a\nb\tc",
  "control characters": "a\u0001b\u007f",
  Japanese: "注文-四十二",
  "an emoji": "order-\u{1F600}",
  "combining marks": "e\u0301",
  "1,000 bytes": "x".repeat(1_000),
  "1,000 bytes that are not ASCII": "ü".repeat(500),
};

/** Runs an instance from its start to its deletion, with every kind of record that has the id. */
async function livesItsLife(context: CaseContext, id: string): Promise<void> {
  const { provider, check } = context;
  await provider.enqueueForOrchestrator(startItem(id));
  const first = await mustFetch(context);
  check.equal(first.item.instanceId, id, "the fetched id");
  const events = [
    started(id),
    scheduled(id, 2),
    eventOf("KeyValueSet", id, 3, { key: id, value: id, last_updated_at_ms: 1 }),
    eventOf("CustomStatusUpdated", id, 4, { status: id }),
  ];
  await ack(context, first, {
    historyDelta: events,
    workerItems: [activity(id, 2, { session_id: id, tag: id.slice(0, 100) })],
    metadata: { orchestrationName: id, orchestrationVersion: "1.0.0" },
  });
  const session = { ownerId: id, lockTimeoutMs: context.lockMs };
  const work = await mustFetchWork(context, {
    session,
    tagFilter: { kind: "tags", tags: [id.slice(0, 100)] },
  });
  check.equal(work.item, activity(id, 2, { session_id: id, tag: id.slice(0, 100) }), "the activity");
  await provider.ackWorkItem(work.lockToken, completion(id, 2));
  const second = await mustFetch(context);
  check.equal(second.item.messages, [completion(id, 2)], "the completion");
  check.equal(second.item.orchestrationName, id, "the orchestration's name");
  await ack(context, second, { metadata: { status: "Completed", output: id } });

  const status = await provider.getInstanceStatus(id);
  check.equal([status?.output, status?.customStatus], [id, id], "output and custom status");
  check.equal(await provider.readHistory(id), events, "the history");
  check.equal((await provider.getKvValues(id, id)).get(id), id, "the key-value entry");
  check.equal(await instanceIds(provider.admin), [id], "the list of instances");
  await provider.admin.deleteInstance(id);
  check.absent(await provider.getInstanceStatus(id), "the status, when deleted");
}

const lives: GroupOfCases = Object.fromEntries(
  Object.entries(unusual).map(([name, id]) => [
    `ids with ${name}`,
    (context: CaseContext) => livesItsLife(context, id),
  ]),
);

export const identifiers: readonly ProviderCase[] = casesOf("identifiers", {
  ...lives,

  async "ids that look alike are different instances"(context) {
    const { provider, check } = context;
    const ids = ["a", "A", " a", "a ", "a:1", "a/1", "a%2F1", "à", "a\u0300", "%", "_"];
    for (const id of ids) await createInstance(context, id);
    for (const id of ids) await provider.enqueueForOrchestrator(raised(id, "for me"));
    const fetched = [];
    for (const _ of ids) fetched.push(await mustFetch(context));
    check.equal(new Set(fetched.map(({ item }) => item.instanceId)), new Set(ids), "the instances");
    for (const { item } of fetched)
      check.equal(item.messages, [raised(item.instanceId, "for me")], "its messages");
    for (const id of ids) check.equal(await provider.readHistory(id), [started(id)], `the history of ${id}`);
  },

  async "keys of two instances do not meet where the ids could be cut differently"(context) {
    const { provider, check } = context;
    const set = (id: string, key: string) => ({
      historyDelta: [eventOf("KeyValueSet", id, 2, { key, value: `${id} ${key}`, last_updated_at_ms: 1 })],
    });
    await createInstance(context, "a", set("a", "kv:b"));
    await createInstance(context, "a:kv", set("a:kv", "b"));
    for (const id of ["a", "a:kv"]) await complete(context, id);
    check.equal(await provider.getKvValues("a"), new Map([["kv:b", "a kv:b"]]), "the first");
    check.equal(await provider.getKvValues("a:kv"), new Map([["b", "a:kv b"]]), "the second");
  },

  async "tags are compared exactly"(context) {
    const { provider, check } = context;
    for (const [index, tag] of ["gpu", "GPU", "gpu ", "gp"].entries()) {
      await provider.enqueueForWorker(activity("a", index + 1, { tag }));
    }
    const tagFilter = { kind: "tags", tags: ["GPU"] } as const;
    check.equal((await fetchWork(context, { tagFilter }))?.item.id, 2, "the activity with just this tag");
    check.absent(await fetchWork(context, { tagFilter }), "another one");
  },

  async "sessions are compared exactly"(context) {
    const { provider, check } = context;
    const sessions = ["s", "S", "s ", "s/1"];
    for (const [index, session_id] of sessions.entries()) {
      await provider.enqueueForWorker(activity("a", index + 1, { session_id }));
    }
    for (const id of [1, 2, 3, 4]) {
      const session = { ownerId: `worker-${id}`, lockTimeoutMs: context.lockMs };
      check.equal((await fetchWork(context, { session }))?.item.id, id, `what is free for worker ${id}`);
    }
  },

  async "an empty tag is a tag"(context) {
    const { provider, check } = context;
    await provider.enqueueForWorker(activity("a", 1, { tag: "" }));
    await provider.enqueueForWorker(activity("a", 2));
    check.equal((await fetchWork(context))?.item.id, 2, "the activity without a tag");
    check.absent(await fetchWork(context), "another one without a tag");
    const tagFilter = { kind: "tags", tags: [""] } as const;
    check.equal((await fetchWork(context, { tagFilter }))?.item.id, 1, "the activity with the empty tag");
  },
});

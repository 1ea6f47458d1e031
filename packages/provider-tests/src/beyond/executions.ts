/** Data of an execution, and data of its instance (hazards W10, W11, W51, W54 and W55). */
import { casesOf, type ProviderCase } from "../case.ts";
import {
  completion,
  continueItem,
  eventOf,
  failed,
  raised,
  scheduled,
  started,
  startItem,
} from "../messages.ts";
import { executionInfo } from "../reads.ts";
import {
  ack,
  continueAsNew,
  createInstance,
  customStatusOf,
  fetchOrchestration,
  mustFetch,
  turn,
} from "../steps.ts";

export const executions: readonly ProviderCase[] = casesOf("executions", {
  async "a name without a version makes no instance, and a version without a name none either"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    await ack(context, await mustFetch(context), { metadata: { orchestrationName: "T" } });
    check.absent(await provider.getInstanceStatus("a"), "the instance, with a name");
    await provider.enqueueForOrchestrator(startItem("a"));
    await ack(context, await mustFetch(context), { metadata: { orchestrationVersion: "1.0.0" } });
    check.absent(await provider.getInstanceStatus("a"), "the instance, with a version");
  },

  async "an instance without a name is known by the first event of its history"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    const historyDelta = [started("a", 1, { name: "OfHistory", version: "3.0.0" })];
    await ack(context, await mustFetch(context), { historyDelta });
    check.absent(await provider.getInstanceStatus("a"), "the instance");
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context);
    check.equal([item.orchestrationName, item.version], ["OfHistory", "3.0.0"], "name and version");
    check.equal(item.history, historyDelta, "the history");
  },

  async "a later commit may change name and version of an instance"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await turn(context, "a", { metadata: { orchestrationName: "Renamed", orchestrationVersion: "2.0.0" } });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const { item } = await mustFetch(context);
    check.equal([item.orchestrationName, item.version], ["Renamed", "2.0.0"], "name and version");
  },

  async "between two executions the instance says that it was continued"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const metadata = { status: "ContinuedAsNew", output: "next" } as const;
    await turn(context, "a", { metadata, orchestratorItems: [continueItem("a")] });
    const status = await provider.getInstanceStatus("a");
    check.equal(
      [status?.status, status?.output, status?.executionId],
      ["ContinuedAsNew", "next", 1],
      "status, output, execution",
    );
  },

  async "a commit for an earlier execution does not move the instance back"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    const metadata = { status: "Failed", output: "late" } as const;
    await turn(context, "a", { executionId: 1, historyDelta: [scheduled("a", 2)], metadata });
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.executionId, status?.status, status?.output], [2, "Running", null], "the instance");
    check.equal(await provider.readHistory("a"), [started("a", 2)], "the current history");
    check.equal((await provider.readHistory("a", 1)).length, 2, "events of the earlier one");
    check.absent(await fetchOrchestration(context), "anything left");
    const earlier = await executionInfo(context.admin, "a", 1);
    check.equal([earlier.status, earlier.output], ["Failed", "late"], "status and output of the earlier one");
  },

  async "a status without an output has none, whatever was stored before"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await turn(context, "a", { metadata: { status: "Failed", output: "first" } });
    await turn(context, "a", { metadata: { status: "Completed" } });
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.output], ["Completed", null], "status and output");
  },

  async "a commit without a status leaves status and output as they are"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await turn(context, "a", { metadata: { status: "Completed", output: "done" } });
    await turn(context, "a");
    const status = await provider.getInstanceStatus("a");
    check.equal([status?.status, status?.output], ["Completed", "done"], "status and output");
  },

  async "a commit of nothing takes the messages and releases the lock"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await turn(context, "a");
    check.absent(await fetchOrchestration(context), "anything left");
    check.equal(await provider.readHistory("a"), [started("a")], "the history");
  },

  async "unknown fields of events and messages are kept"(context) {
    const { provider, check } = context;
    const event = { ...started("a"), note: { from: "a later version" }, duroxide_version: "0.1.30" };
    const message = { ...raised("a", "poke"), note: [1, null, "x"] };
    await createInstance(context, "b");
    await provider.appendHistory("a", 1, [event]);
    await provider.enqueueForOrchestrator(message);
    const { item } = await mustFetch(context);
    check.equal(item.history, [event], "the event, in a fetched turn");
    check.equal(item.messages, [message], "the message");
    check.equal(await provider.readHistory("a"), [event], "the event, read");
  },

  async "integers beyond what a number can hold come back as they were"(context) {
    const { provider, check } = context;
    const event = { ...started("a"), timestamp_ms: 2n ** 64n - 1n };
    const message = { ...completion("a", 1), id: 2n ** 63n };
    await provider.enqueueForOrchestrator(startItem("a"));
    await ack(context, await mustFetch(context), { historyDelta: [event], orchestratorItems: [message] });
    check.equal(await provider.readHistory("a"), [event], "the event");
    const { item } = await mustFetch(context);
    check.equal(item.history, [event], "the event, in a fetched turn");
    check.equal(item.messages, [message], "the message");
  },

  async "the events of a commit are stored under their ids, in whatever order they come"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await turn(context, "a", { historyDelta: [scheduled("a", 99_999), scheduled("a", 7)] });
    const ids = (await provider.readHistory("a")).map(({ event_id }) => Number(event_id));
    check.equal(ids, [1, 7, 99_999], "the ids, in order");
  },

  async "appended events keep their ids, and none is overwritten"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await provider.appendHistory("a", 1, [scheduled("a", 7), scheduled("a", 5)]);
    const again = provider.appendHistory("a", 1, [scheduled("a", 9), failed("a", 7, "again")]);
    await check.rejects(again, "duplicate-event", "an id that exists");
    const ids = (await provider.readHistory("a")).map(({ event_id }) => Number(event_id));
    check.equal(ids, [1, 5, 7], "the ids, in order");
  },

  async "the last custom status of a commit counts, and as one change"(context) {
    const { check } = context;
    await createInstance(context, "a");
    const historyDelta = ["one", "two", "three"].map((status, n) =>
      eventOf("CustomStatusUpdated", "a", n + 2, { status }),
    );
    await turn(context, "a", { historyDelta });
    check.equal(await customStatusOf(context, "a", 0), { status: "three", version: 1 }, "the custom status");
  },

  async "the custom status is kept by a continue-as-new"(context) {
    const { check } = context;
    await createInstance(context, "a", {
      historyDelta: [eventOf("CustomStatusUpdated", "a", 2, { status: "kept" })],
    });
    await continueAsNew(context, "a", 2);
    check.equal(await customStatusOf(context, "a", 0), { status: "kept", version: 1 }, "the custom status");
  },

  async "the parent of an instance does not change"(context) {
    const { check, admin } = context;
    for (const id of ["first", "second"]) await createInstance(context, id);
    await createInstance(context, "child", { parentInstanceId: "first" });
    const metadata = { orchestrationName: "T", orchestrationVersion: "1.0.0", parentInstanceId: "second" };
    await turn(context, "child", { metadata });
    check.equal((await admin.getInstanceInfo("child")).parentInstanceId, "first", "the parent");
    await turn(context, "first", { metadata });
    check.absent(
      (await admin.getInstanceInfo("first")).parentInstanceId,
      "the parent of what was created without one",
    );
  },
});

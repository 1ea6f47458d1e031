/**
 * A message that is only for an instance that was started and has not ended (docs/reference/provider-contract.md
 * §10.3).
 */
import type { EnqueueOutcome } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { Caller } from "../context.ts";
import { queueMessage, raised, startItem } from "../messages.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  mustFetch,
  turn,
} from "../steps.ts";
import { revised } from "./revision-steps.ts";

function send({ provider }: Caller, name: string, messageId?: string): Promise<EnqueueOutcome> {
  const options = { ifMissing: "fail" as const, ...(messageId !== undefined && { messageId }) };
  return provider.enqueueForOrchestrator(raised("a", name), 0, options);
}

async function namesOf(caller: Caller): Promise<readonly string[]> {
  const fetched = await fetchOrchestration(caller);
  if (fetched === undefined) return [];
  await ack(caller, fetched);
  return fetched.item.messages.map((message) => ("name" in message ? message.name : message.kind));
}

export const missingInstances: readonly ProviderCase[] = casesOf("missing_instances", {
  async "a message for an instance that was never started is refused, and not stored"(context) {
    const { provider, check } = context;
    check.equal(await send(context, "one", "m"), "not-found", "under an id");
    check.equal(await send(context, "two"), "not-found", "without an id");
    await provider.enqueueForOrchestrator(startItem("a"));
    check.equal((await mustFetch(context)).item.messages.length, 1, "the messages beside the start");
  },

  async "one for an ended instance is refused, and not stored, each time that it is sent"(context) {
    const { check } = context;
    await createInstance(context, "a");
    for (const status of ["Failed", "Completed"] as const) {
      await complete(context, "a", status);
      for (const _ of [1, 2]) check.equal(await send(context, "one", "m"), "ended", `${status}, under an id`);
      check.equal(await send(context, "two"), "ended", `${status}, without an id`);
    }
    check.equal(await namesOf(context), [], "the messages");
  },

  async "a start that waits is no unknown instance, and its message comes after it"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a"));
    check.equal(await send(context, "one", "m"), "stored", "the outcome");
    check.equal(await namesOf(context), ["StartOrchestration", "one"], "the messages");
  },

  async "a start of the same moment is found"(context) {
    const { provider, check } = context;
    const started = provider.enqueueForOrchestrator(startItem("a"));
    const sent = started.then(() => send(context, "one", "m"));
    check.equal(await sent, "stored", "the outcome");
    check.equal(await namesOf(context), ["StartOrchestration", "one"], "the messages");
  },

  async "messages alone start nothing, and a deleted instance is unknown"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(raised("a", "early"));
    check.equal(await send(context, "one", "m"), "not-found", "behind a message that was kept");
    await createInstance(context, "a", { metadata: { status: "Completed", output: "{}" } });
    await provider.admin.deleteInstance("a");
    check.equal(await send(context, "one", "m"), "not-found", "after its deletion");
  },

  async "an instance that runs, or is between two executions, gets its messages once"(context) {
    const { check } = context;
    await createInstance(context, "a");
    for (const _ of [1, 2]) check.equal(await send(context, "one", "m"), "stored", "while it runs");
    check.equal(await namesOf(context), ["one"], "the messages");
    await continueAsNew(context, "a", 2);
    check.equal(await send(context, "two", "n"), "stored", "in the next execution");
    check.equal(await namesOf(context), ["two"], "the messages of the next execution");
  },

  async "one that is suspended although it has ended goes on later, and keeps its messages"(context) {
    const { check } = context;
    await createInstance(context, "a");
    await complete(context, "a", "Failed");
    const expected = { executionId: 1, status: "Failed" } as const;
    await revised(context, { instanceId: "a", expected, suspended: { sinceMs: 1, reason: "rewind" } });
    check.equal(await send(context, "one", "m"), "stored", "the outcome");
  },

  async "a message that was sent before the end is stored, however often it is sent again"(context) {
    const { check } = context;
    await createInstance(context, "a");
    check.equal(await send(context, "one", "m"), "stored", "before the end");
    await turn(context, "a", { metadata: { status: "Completed", output: "{}" } });
    check.equal(await send(context, "one", "m"), "stored", "the repetition");
    check.equal(await send(context, "two", "n"), "ended", "another one");
  },

  async "without the rule a message is kept, whatever it meets"(context) {
    const { provider, check } = context;
    const keep = { ifMissing: "keep", messageId: "k" } as const;
    check.equal(await provider.enqueueForOrchestrator(queueMessage("b", "q"), 0, keep), "stored", "unknown");
    await createInstance(context, "a");
    await complete(context, "a");
    check.equal(await provider.enqueueForOrchestrator(queueMessage("a", "q"), 0, keep), "stored", "ended");
  },
});

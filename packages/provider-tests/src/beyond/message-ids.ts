/** A message that was sent twice under one id is stored once (docs/reference/provider-contract.md §10). */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { Caller } from "../context.ts";
import { queueMessage, raised, startItem } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch } from "../steps.ts";

const A_DAY_MS = 86_400_000;

async function namesOf(caller: Caller): Promise<readonly string[]> {
  const fetched = await fetchOrchestration(caller);
  if (fetched === undefined) return [];
  await ack(caller, fetched);
  return fetched.item.messages.map((message) => ("name" in message ? message.name : message.kind));
}

export const messageIds: readonly ProviderCase[] = casesOf("message_ids", {
  async "a message that is sent again under its id is stored once, while it waits and when it was read"(
    context,
  ) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const send = (name: string, messageId: string) =>
      provider.enqueueForOrchestrator(queueMessage("a", name), 0, { messageId });
    await send("pay", "order-1");
    await send("pay", "order-1");
    await send("pay", "order-2");
    check.equal(await namesOf(context), ["pay", "pay"], "the messages");
    await send("pay", "order-1");
    check.absent(await fetchOrchestration(context), "a fetch after the repetition of what was read");
  },

  async "repetitions that are sent at once are stored once"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const send = () => provider.enqueueForOrchestrator(raised("a", "go"), 0, { messageId: "one" });
    await Promise.all([send(), send(), send()]);
    check.equal(await namesOf(context), ["go"], "the messages");
  },

  async "the ids of one instance mean nothing to another, and messages without an id are never the same"(
    context,
  ) {
    const { provider, check } = context;
    for (const id of ["a", "b"]) {
      await createInstance(context, id);
      await provider.enqueueForOrchestrator(raised(id, "named"), 0, { messageId: "one" });
      for (const _ of [1, 2]) await provider.enqueueForOrchestrator(raised(id, "unnamed"));
      check.equal(await namesOf(context), ["named", "unnamed", "unnamed"], `the messages of ${id}`);
    }
  },

  async "an id belongs to its queue or event"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const messageId = "order-7";
    for (const _ of [1, 2]) {
      for (const message of [queueMessage("a", "pay"), queueMessage("a", "ship"), raised("a", "pay")]) {
        await provider.enqueueForOrchestrator(message, 0, { messageId });
      }
    }
    const { messages } = (await mustFetch(context)).item;
    const kinds = messages.map((message) => `${message.kind} ${"name" in message ? message.name : ""}`);
    check.equal(kinds, ["QueueMessage pay", "QueueMessage ship", "ExternalRaised pay"], "the messages");
  },

  async "a message under an id that comes before its instance is stored once"(context) {
    const { provider, check } = context;
    for (const _ of [1, 2])
      await provider.enqueueForOrchestrator(raised("a", "early"), 0, { messageId: "one" });
    await provider.enqueueForOrchestrator(startItem("a"));
    const { messages } = (await mustFetch(context)).item;
    check.equal(
      messages.map(({ kind }) => kind),
      ["ExternalRaised", "StartOrchestration"],
      "the messages",
    );
  },

  async "a message that was dropped because its instance did not exist may be sent again"(context) {
    const { provider, check } = context;
    const send = () => provider.enqueueForOrchestrator(queueMessage("a", "early"), 0, { messageId: "one" });
    await send();
    check.absent(await fetchOrchestration(context), "a fetch before the start");
    await createInstance(context, "a");
    await send();
    check.equal(await namesOf(context), ["early"], "the messages");
  },

  async "what is not 1 to 200 characters is no id"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    for (const messageId of ["", "x".repeat(201)]) {
      const sending = provider.enqueueForOrchestrator(raised("a", "go"), 0, { messageId });
      await check.rejects(sending, "invalid-input", `an id of ${messageId.length} characters`);
    }
    for (const messageId of ["x".repeat(200), "ä/ö?#\\", "A", "a"]) {
      for (const _ of [1, 2]) await provider.enqueueForOrchestrator(raised("a", messageId), 0, { messageId });
    }
    check.equal(await namesOf(context), ["x".repeat(200), "ä/ö?#\\", "A", "a"], "the messages");
  },

  async "an id is remembered for a day"(context) {
    const { provider, check, time, capabilities } = context;
    await createInstance(context, "a");
    const send = () => provider.enqueueForOrchestrator(raised("a", "go"), 0, { messageId: "one" });
    await send();
    check.equal(await namesOf(context), ["go"], "the messages");
    if (capabilities.clock === "system") return;
    for (const hours of [11, 22]) {
      await time.pass(11 * 3_600_000);
      await send();
      check.absent(await fetchOrchestration(context), `a repetition after ${hours} hours`);
    }
    await time.pass(3 * A_DAY_MS);
    await send();
    check.equal(await namesOf(context), ["go"], "the messages days later");
  },

  async "an id is remembered for a day, however many others come"(context) {
    const { provider, check, time, capabilities } = context;
    if (capabilities.clock === "system") return;
    await createInstance(context, "a");
    const send = (messageId: string) =>
      provider.enqueueForOrchestrator(raised("a", messageId), 0, { messageId });
    await send("one");
    await time.pass(23 * 3_600_000);
    const others = Array.from({ length: 150 }, (_, n) => `other-${n}`);
    for (const other of others) await send(other);
    await send("one");
    const names: string[] = [];
    // A store may give them to several turns.
    for (let some = await namesOf(context); some.length > 0; some = await namesOf(context))
      names.push(...some);
    check.equal(names, ["one", ...others], "the messages");
  },

  ...needing(["several-providers"], {
    async "a message id that one provider stored is a repetition for the others"(context) {
      const { check } = context;
      const other = await context.openAnother();
      await createInstance(context, "a");
      for (const { provider } of [context, other]) {
        await provider.enqueueForOrchestrator(raised("a", "go"), 0, { messageId: "one" });
      }
      check.equal(await namesOf(other), ["go"], "the messages");
    },
  }),
});

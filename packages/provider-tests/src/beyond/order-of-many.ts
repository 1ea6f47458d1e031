/**
 * The order of one commit with many items, in a store that holds as many already: a number that a store draws for a row
 * has more than one byte then, and a list may not fit into one storage call.
 */
import type { OrchestratorItem } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity, queueMessage } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork } from "../steps.ts";

const MANY = 300;
/** The tag of activities that no fetch of these cases takes. */
const OTHER = "other";

const messagesTo = (instance: string): readonly OrchestratorItem[] =>
  Array.from({ length: MANY }, (_, n) => queueMessage(instance, `message-${n}`));

/** More than 256 rows that nothing takes. */
async function fill({ provider }: CaseContext): Promise<void> {
  for (let n = 0; n < MANY; n++) await provider.enqueueForWorker(activity("filler", n + 2, { tag: OTHER }));
}

/** The names of all messages that wait for any instance, as turns receive them. */
async function received(context: CaseContext): Promise<readonly string[]> {
  const names: string[] = [];
  for (let next = await fetchOrchestration(context); next; next = await fetchOrchestration(context)) {
    names.push(...next.item.messages.flatMap((item) => (item.kind === "QueueMessage" ? [item.name] : [])));
    await ack(context, next);
  }
  return names;
}

const NAMES = Array.from({ length: MANY }, (_, n) => `message-${n}`);

export const orderOfMany: readonly ProviderCase[] = casesOf("ordering", {
  async "300 messages of one commit to its own instance come in the order of its list"(context) {
    await fill(context);
    await createInstance(context, "a", { orchestratorItems: messagesTo("a") });
    context.check.equal(await received(context), NAMES, "the messages");
  },

  async "300 messages of one commit to another instance come in the order of its list"(context) {
    await fill(context);
    await createInstance(context, "target");
    await createInstance(context, "source", { orchestratorItems: messagesTo("target") });
    context.check.equal(await received(context), NAMES, "the messages");
  },

  async "300 activities of one commit are fetched in the order of its list"(context) {
    await fill(context);
    const workerItems = Array.from({ length: MANY }, (_, n) => activity("a", n + 2));
    await createInstance(context, "a", { workerItems });
    const ids: number[] = [];
    for (let next = await fetchWork(context); next; next = await fetchWork(context)) {
      ids.push(Number(next.item.id));
      await context.provider.ackWorkItem(next.lockToken);
    }
    context.check.equal(
      ids,
      workerItems.map(({ id }) => Number(id)),
      "the activities",
    );
  },

  async "300 messages that were sent one by one come in the order in which they were sent"(context) {
    await createInstance(context, "a");
    await fill(context);
    for (const message of messagesTo("a")) await context.provider.enqueueForOrchestrator(message);
    context.check.equal(await received(context), NAMES, "the messages");
  },
});

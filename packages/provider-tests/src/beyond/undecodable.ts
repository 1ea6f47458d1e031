/** A row that cannot be decoded affects no other row (hazard W20). */
import { casesOf, needing, type ProviderCase } from "../case.ts";
import { activity, queueMessage, raised, started, startItem } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, fetchWork, mustFetch } from "../steps.ts";

export const undecodable: readonly ProviderCase[] = casesOf("undecodable_rows", {
  ...needing(["undecodable-rows"], {
    async "a message that cannot be decoded is left out, and the good ones beside it are delivered"(context) {
      const { provider, store, check } = context;
      await createInstance(context, "a");
      await provider.enqueueForOrchestrator(raised("a", "one"));
      await store.putUndecodableRow?.("orchestrator", "a");
      await provider.enqueueForOrchestrator(raised("a", "two"));
      const fetched = await mustFetch(context);
      check.equal(fetched.item.messages, [raised("a", "one"), raised("a", "two")], "the messages");
      check.absent(fetched.item.historyError, "a history error");
      await ack(context, fetched);
      check.absent(await fetchOrchestration(context), "anything left");
    },

    async "a message that cannot be decoded does not keep a fetch from other instances"(context) {
      const { provider, store, check } = context;
      await createInstance(context, "bad");
      await store.putUndecodableRow?.("orchestrator", "bad");
      await provider.enqueueForOrchestrator(startItem("good"));
      check.equal((await fetchOrchestration(context))?.item.instanceId, "good", "the good instance");
    },

    async "an instance with nothing but a message that cannot be decoded goes on when a good one comes"(
      context,
    ) {
      const { provider, store, check } = context;
      await createInstance(context, "a");
      await store.putUndecodableRow?.("orchestrator", "a");
      check.absent(await fetchOrchestration(context), "a batch without a message");
      await provider.enqueueForOrchestrator(raised("a", "good"));
      check.equal((await fetchOrchestration(context))?.item.messages, [raised("a", "good")], "the messages");
    },

    async "an activity that cannot be decoded does not keep a fetch from the next one"(context) {
      const { provider, store, check } = context;
      await store.putUndecodableRow?.("worker", "a");
      await provider.enqueueForWorker(activity("a", 2));
      check.equal((await fetchWork(context))?.item, activity("a", 2), "the good activity");
      check.absent(await fetchWork(context), "another one");
    },
  }),

  ...needing(["corrupt-history"], {
    async "the sizes of an instance whose history cannot be decoded are an error"(context) {
      const { provider, store, check } = context;
      await createInstance(context, "a");
      await store.corruptHistory?.("a");
      await check.rejects(provider.getInstanceStats("a"), "corrupt-data", "its sizes");
      check.equal((await provider.getInstanceStatus("a"))?.status, "Running", "its status");
    },

    async "messages are not taken for early ones where the history that names their orchestration cannot be decoded"(
      context,
    ) {
      const { provider, store, check } = context;
      await provider.enqueueForOrchestrator(startItem("a"));
      await ack(context, await mustFetch(context), { historyDelta: [started("a")] });
      await store.corruptHistory?.("a");
      await provider.enqueueForOrchestrator(queueMessage("a", "inbox"));
      const fetched = check.present(await fetchOrchestration(context), "the batch");
      check.isTrue((fetched.item.historyError ?? "") !== "", "it says why its history cannot be read");
      check.equal(fetched.item.messages, [queueMessage("a", "inbox")], "the messages");
    },
  }),
});

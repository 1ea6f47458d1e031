// #region own-cases
import type { ProviderCase } from "@duroxide-ts/provider-tests";
import { ack, createInstance, mustFetch, raised } from "@duroxide-ts/provider-tests/building-blocks";

export const ownCases: readonly ProviderCase[] = [
  {
    group: "my_store",
    name: "an event outlives the worker that fetched it",
    needs: [],
    async run(context) {
      const { provider, check, time, lockMs } = context;
      await createInstance(context, "a");
      await provider.enqueueForOrchestrator(raised("a", "approved"));
      const lost = await mustFetch(context); // its worker dies here

      await time.pass(lockMs + 1);
      const again = await mustFetch(context);

      check.equal(again.item.messages, [raised("a", "approved")], "the messages");
      check.equal(again.attemptCount, 2, "the attempts");
      await check.rejects(ack(context, lost), "lock-lost", "the commit of the dead worker");
    },
  },
];
// #endregion

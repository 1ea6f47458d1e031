/** Lists of instances: newest first, page by page, by the status of the current execution (hazard W11). */
import type { InstanceQuery } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { raised, started, startItem } from "../messages.ts";
import { allPages } from "../pages.ts";
import { instanceIds } from "../reads.ts";
import { ack, complete, continueAsNew, createInstance, mustFetch } from "../steps.ts";

/** The ids of this page and of all that follow; no page has more than its limit. */
function listAll({ admin, check }: CaseContext, query: InstanceQuery): Promise<readonly string[]> {
  return allPages(async (from) => {
    const { instances, continuation } = await admin.queryInstances({ ...query, ...from });
    check.isTrue(instances.length <= (query.limit ?? 100), `a page has ${instances.length} instances`);
    return { items: instances.map(({ instanceId }) => instanceId), continuation };
  });
}

export const listing: readonly ProviderCase[] = casesOf("listing", {
  async "a list of one status has those of the current executions, newest first, page by page"(context) {
    const { check } = context;
    const ends = { a: "Completed", b: undefined, c: "Failed", d: "Completed", e: "Completed" } as const;
    for (const id of Object.keys(ends)) await createInstance(context, id);
    for (const [id, status] of Object.entries(ends))
      if (status !== undefined) await complete(context, id, status);
    check.equal(await listAll(context, { filter: { status: ["Running"] } }), ["b"], "those that run");
    check.equal(await listAll(context, { filter: { status: ["Failed"] } }), ["c"], "those that failed");
    check.equal(
      await listAll(context, { filter: { status: ["Completed"] }, limit: 2 }),
      ["e", "d", "a"],
      "the completed ones",
    );
  },

  async "an instance is as new as its start, not as an event that came before"(context) {
    const { check, admin, provider, time } = context;
    await provider.enqueueForOrchestrator(raised("early event", "go"), undefined, { messageId: "once" });
    await time.pass(1);
    await createInstance(context, "older");
    await time.pass(1);
    await provider.enqueueForOrchestrator(startItem("early event"));
    await provider.enqueueForOrchestrator(raised("early event", "go"), undefined, { messageId: "once" });
    const fetched = await mustFetch(context);
    check.equal(
      fetched.item.messages.map(({ kind }) => kind),
      ["ExternalRaised", "StartOrchestration"],
      "its messages",
    );
    await ack(context, fetched, {
      historyDelta: [started("early event")],
      metadata: { orchestrationName: "TestOrch", orchestrationVersion: "1.0.0" },
    });
    const listed = await instanceIds(admin);
    check.equal(listed, ["early event", "older"], "the list");
  },

  async "pages of a list neither repeat nor skip"(context) {
    const { check, admin } = context;
    const ids = Array.from({ length: 7 }, (_, n) => `i-${n}`);
    for (const id of ids) await createInstance(context, id);
    const first = await admin.queryInstances({ limit: 3 });
    await createInstance(context, "newer");
    const { continuation } = first;
    const rest = await listAll(context, {
      limit: 3,
      ...(continuation === undefined ? {} : { continuation }),
    });
    const listed = [...first.instances.map(({ instanceId }) => instanceId), ...rest];
    check.equal(listed, ids.toReversed(), "those that were there at the first page, newest first");
  },

  async "running instances that were continued are listed and counted as running"(context) {
    const { check, admin } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    await createInstance(context, "b");
    await complete(context, "b");
    check.equal(await instanceIds(admin, { status: ["Running"] }), ["a"], "the running ones");
    check.equal(await instanceIds(admin, { status: ["ContinuedAsNew"] }), [], "the continued ones");
    const { runningInstances, completedInstances, totalExecutions } = await admin.getSystemMetrics();
    check.equal(
      [runningInstances, completedInstances, totalExecutions],
      [1, 1, 3],
      "running, completed, executions",
    );
  },
});

/** An instance comes into being by the ack that names it, not before. Catalogue: instance_creation. */
import { casesOf, type ProviderCase } from "../case.ts";
import { raised, started, startItem } from "../messages.ts";
import { ack, fetchOrchestration, firstTurn, mustFetch } from "../steps.ts";

export const instanceCreation: readonly ProviderCase[] = casesOf("instance_creation", {
  async test_instance_creation_via_metadata(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a", { orchestration: "Named" }));
    const first = check.present(await fetchOrchestration(context), "a start");
    check.equal(first.item.orchestrationName, "Named", "the name, from the message");
    check.equal(first.item.executionId, 1, "the execution");
    check.equal(first.item.history, [], "the history");
    await ack(context, first, {
      historyDelta: [started("a")],
      metadata: { orchestrationName: "Named", orchestrationVersion: "2.0.0" },
    });

    await provider.enqueueForOrchestrator(startItem("a", { orchestration: "Named" }));

    const second = check.present(await fetchOrchestration(context), "a second start");
    check.equal(second.item.version, "2.0.0", "the version, from the ack and not from the message");
    check.equal(second.item.history, [started("a")], "the history");
  },

  async test_no_instance_creation_on_enqueue(context) {
    const { provider, check } = context;
    const status = (): Promise<unknown> => provider.getInstanceStatus("a");

    await provider.enqueueForOrchestrator(startItem("a"));
    check.absent(await status(), "an instance after the enqueue");
    const fetched = check.present(await fetchOrchestration(context), "a start without an instance");
    check.absent(await status(), "an instance after the fetch");
    await firstTurn(context, fetched);

    check.isTrue((await status()) !== undefined, "there is an instance after the ack");
  },

  async test_null_version_handling(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("a", { version: null }));
    const first = check.present(await fetchOrchestration(context), "a start without a version");
    check.equal(first.item.orchestrationName, "TestOrch", "the name");
    check.equal(first.item.version, "unknown", "the version before the first turn");
    await ack(context, first, {
      historyDelta: [started("a")],
      metadata: { orchestrationName: "TestOrch", orchestrationVersion: "3.0.0" },
    });

    await provider.enqueueForOrchestrator(raised("a", "next"));

    check.equal((await fetchOrchestration(context))?.item.version, "3.0.0", "the version, from the ack");
  },

  async test_sub_orchestration_instance_creation(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("parent"));
    const childStart = startItem("child", {
      orchestration: "ChildOrch",
      version: null,
      parent_instance: "parent",
      parent_id: 2,
    });
    await firstTurn(context, await mustFetch(context), { orchestratorItems: [childStart] });

    const child = check.present(
      await fetchOrchestration(context),
      "the child, as soon as its parent is acked",
    );
    check.equal(child.item.instanceId, "child", "the instance");
    check.equal(child.item.orchestrationName, "ChildOrch", "the name, from the message");
    check.equal(child.item.messages, [childStart], "the messages");
    check.absent(await provider.getInstanceStatus("child"), "a stored child");
    await ack(context, child, {
      historyDelta: [started("child")],
      metadata: {
        orchestrationName: "ChildOrch",
        orchestrationVersion: "1.5.0",
        parentInstanceId: "parent",
      },
    });
    await provider.enqueueForOrchestrator(raised("child", "next"));

    check.equal((await fetchOrchestration(context))?.item.version, "1.5.0", "the version, from the ack");
  },
});

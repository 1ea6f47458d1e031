/** The runtimes for an execution: its pinned version, and the ranges that a runtime supports (hazards W17 and W18). */
import { casesOf, type ProviderCase } from "../case.ts";
import { continueItem, raised, semver, started, versions } from "../messages.ts";
import { ack, createInstance, fetchOrchestration, mustFetch, turn } from "../steps.ts";

export const versionFilters: readonly ProviderCase[] = casesOf("versions", {
  async "the version that an execution is pinned to counts until the next begins, and is not inherited"(
    context,
  ) {
    const { provider, check } = context;
    const supportedVersions = versions("1.0.0", "1.0.0");
    await createInstance(context, "a", { metadata: { pinnedVersion: semver("9.0.0") } });
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
    });
    check.absent(await fetchOrchestration(context, { supportedVersions }), "a fetch before the next begins");
    await ack(context, await mustFetch(context), { executionId: 2, historyDelta: [started("a", 2)] });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    check.present(await fetchOrchestration(context, { supportedVersions }), "a fetch of the next execution");
  },

  async "every range of a capability filter counts, and the gap between two does not"(context) {
    const { provider, check } = context;
    for (const version of ["1.5.0", "2.5.0", "3.5.0"]) {
      await createInstance(context, version, { metadata: { pinnedVersion: semver(version) } });
    }
    for (const version of ["2.5.0", "3.5.0", "1.5.0"])
      await provider.enqueueForOrchestrator(raised(version, "e"));
    const supportedVersions = [...versions("1.0.0", "2.0.0"), ...versions("3.0.0", "4.0.0")];
    const ids = [
      await mustFetch(context, { supportedVersions }),
      await mustFetch(context, { supportedVersions }),
    ];
    check.equal(ids.map(({ item }) => item.instanceId).sort(), ["1.5.0", "3.5.0"], "the instances");
    check.absent(await fetchOrchestration(context, { supportedVersions }), "the one in the gap");
  },

  async "of two fetches at once, one gets the instance that the other does not support"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { metadata: { pinnedVersion: semver("3.1.0") } });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    const fetched = await Promise.all([
      fetchOrchestration(context, { supportedVersions: versions("1.0.0", "1.2.3") }),
      fetchOrchestration(context),
    ]);
    check.equal(
      fetched.map((each) => each?.item.instanceId),
      [undefined, "a"],
      "what each of them got",
    );
  },

  async "versions are compared as numbers, part by part"(context) {
    const { provider, check } = context;
    await createInstance(context, "a", { metadata: { pinnedVersion: semver("1.2000.3") } });
    await provider.enqueueForOrchestrator(raised("a", "poke"));
    check.absent(
      await fetchOrchestration(context, { supportedVersions: versions("2.0.0", "4.0.0") }),
      "a fetch by 2 to 4",
    );
    check.absent(
      await fetchOrchestration(context, { supportedVersions: versions("1.0.0", "1.999.999") }),
      "a fetch below",
    );
    check.present(
      await fetchOrchestration(context, { supportedVersions: versions("1.1000.0", "1.3000.0") }),
      "a fetch around it",
    );
  },
});

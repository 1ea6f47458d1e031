/**
 * A fetch takes only executions that its caller can replay, and decides that before it locks, counts or reads
 * anything. Catalogue: capability_filtering.
 */
import type { FetchedOrchestration, VersionRange } from "@duroxide-ts/core/stores";
import { casesOf, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { failed, raised, semver, startItem, versions } from "../messages.ts";
import {
  ack,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  firstTurn,
  given,
  mustFetch,
  turn,
} from "../steps.ts";

export const capabilityFiltering: readonly ProviderCase[] = casesOf("capability_filtering", {
  async test_fetch_with_filter_none_returns_any_item(context) {
    await seed(context, { a: "1.2.3" });
    context.check.equal((await fetchOrchestration(context))?.item.instanceId, "a", "without a filter");
  },

  async test_fetch_with_compatible_filter_returns_item(context) {
    await seed(context, { a: "1.2.3" });
    await expectFound(context, versions("1.0.0", "1.9.9"), "a");
  },

  async test_fetch_with_incompatible_filter_skips_item(context) {
    await seed(context, { a: "1.2.3" });
    await expectFound(context, versions("2.0.0", "2.9.9"), undefined);
  },

  async test_fetch_filter_skips_incompatible_selects_compatible(context) {
    const other = await context.openStore();
    await seed(context, { one: "1.0.0", two: "2.0.0" });
    await seed(other, { two: "2.0.0", one: "1.0.0" });

    for (const store of [context, other]) {
      await expectFound(store, versions("2.0.0", "2.9.9"), "two");
      await expectFound(store, versions("1.0.0", "1.9.9"), "one");
    }
  },

  async test_fetch_filter_does_not_lock_skipped_instances(context) {
    const { check } = context;
    await seed(context, { a: "1.2.3" });

    await expectFound(context, versions("2.0.0", "2.9.9"), undefined);

    const supportedVersions = versions("1.0.0", "1.9.9");
    const fetched = check.present(
      await fetchOrchestration(context, { supportedVersions }),
      "a compatible fetch, at once",
    );
    check.equal(fetched.attemptCount, 1, "the attempt, without the fetch that skipped");
  },

  async test_fetch_filter_null_pinned_version_always_compatible(context) {
    await seed(context, { a: undefined });
    await expectFound(context, versions("99.0.0", "99.9.9"), "a");
  },

  async test_fetch_filter_boundary_versions(context) {
    const other = await context.openStore();
    const supported = versions("1.0.0", "1.9.99");
    await seed(context, { lowest: "1.0.0", highest: "1.9.99" });
    await seed(other, { beyond: "2.0.0" });

    const fetched = [1, 2].map(() => fetchOrchestration(context, { supportedVersions: supported }));
    const found = (await Promise.all(fetched)).map((each) => each?.item.instanceId);
    context.check.equal(found.sort(), ["highest", "lowest"], "both ends of the range");
    await expectFound(other, supported, undefined);
    await expectFound(other, versions("2.0.1", "2.9.9"), undefined);
    context.check.equal((await fetchOrchestration(other))?.item.instanceId, "beyond", "without a filter");
  },

  async test_pinned_version_stored_via_ack_metadata(context) {
    await seed(context, { a: "3.1.4" });
    await expectFound(context, versions("4.0.0", "4.9.9"), undefined);
    await expectFound(context, versions("3.0.0", "3.9.9"), "a");
  },

  async test_pinned_version_immutable_across_ack_cycles(context) {
    await seed(context, { a: "1.0.0" });
    await ack(context, await mustFetch(context), { orchestratorItems: [raised("a", "next")] });
    await expectFound(context, versions("2.0.0", "2.9.9"), undefined);
    await expectFound(context, versions("1.0.0", "1.0.0"), "a");
  },

  async test_continue_as_new_execution_gets_own_pinned_version(context) {
    await createInstance(context, "a", { metadata: { pinnedVersion: semver("1.0.0") } });
    await continueAsNew(context, "a", 2, {
      metadata: { pinnedVersion: semver("2.0.0") },
      orchestratorItems: [raised("a", "next")],
    });
    await expectFound(context, versions("1.0.0", "1.9.9"), undefined);
    await expectFound(context, versions("2.0.0", "2.9.9"), "a");
  },

  async test_filter_with_empty_supported_versions_returns_nothing(context) {
    await seed(context, { pinned: "1.0.0", unpinned: undefined });
    await expectFound(context, [], undefined);
  },

  async test_concurrent_filtered_fetch_no_double_lock(context) {
    await seed(context, { a: "1.0.0" });
    const supportedVersions = versions("1.0.0", "1.9.9");

    const both = await Promise.all([1, 2].map(() => fetchOrchestration(context, { supportedVersions })));

    const winners = both.flatMap((each) => (each === undefined ? [] : [each.item.instanceId]));
    context.check.equal(winners, ["a"], "one of two fetches wins");
    await expectFound(context, supportedVersions, undefined);
  },

  async test_ack_stores_pinned_version_via_metadata_update(context) {
    await createInstance(context, "a");
    await turn(context, "a", {
      metadata: { pinnedVersion: semver("1.2.3") },
      orchestratorItems: [raised("a", "next")],
    });
    await expectFound(context, versions("2.0.0", "2.9.9"), undefined);
    await expectFound(context, versions("1.0.0", "1.9.9"), "a");
  },

  async test_provider_updates_pinned_version_when_told(context) {
    await createInstance(context, "a", { metadata: { pinnedVersion: semver("1.0.0") } });
    await turn(context, "a", {
      metadata: { pinnedVersion: semver("2.0.0") },
      orchestratorItems: [raised("a", "next")],
    });
    await expectFound(context, versions("1.0.0", "1.9.9"), undefined);
    await expectFound(context, versions("2.0.0", "2.9.9"), "a");
  },

  ...needing(["corrupt-history"], {
    async test_fetch_corrupted_history_filtered_vs_unfiltered(context) {
      await seedCorrupt(context, "1.0.0");
      await expectFound(context, versions("2.0.0", "2.9.9"), undefined);
      expectHistoryError(context, await fetchOrchestration(context));
    },
  }),

  ...needing(["corrupt-history", "attempt-counts"], {
    test_fetch_deserialization_error_increments_attempt_count: (context) =>
      countAttemptsAtCorruptHistory(context, 2),

    test_fetch_deserialization_error_eventually_reaches_poison: (context) =>
      countAttemptsAtCorruptHistory(context, 5),
  }),

  ...needing(["corrupt-history"], {
    async test_fetch_filter_applied_before_history_deserialization(context) {
      await seedCorrupt(context, "99.0.0");
      await expectFound(context, versions("1.0.0", "2.0.0"), undefined);
      expectHistoryError(context, await fetchOrchestration(context));
    },
  }),

  /** Whether one range is looked at or all of them: what is older and in the first range comes first. */
  async test_fetch_single_range_only_uses_first_range(context) {
    const { provider, check } = context;
    await seed(context, { first: "1.0.0", second: "3.0.0" });
    const supportedVersions = [...versions("1.0.0", "1.9.9"), ...versions("3.0.0", "3.9.9")];

    const fetched = check.present(
      await fetchOrchestration(context, { supportedVersions }),
      "the first range",
    );
    check.equal(fetched.item.instanceId, "first", "the instance");
    await provider.abandonOrchestrationItem(fetched.lockToken);

    const again = await fetchOrchestration(context, { supportedVersions });
    check.isTrue(again === undefined || again.item.instanceId === "first", "the same again, or nothing");
  },

  ...needing(["corrupt-history"], {
    async test_ack_appends_event_to_corrupted_history(context) {
      await seedCorrupt(context, "1.0.0");

      await ack(context, await mustFetch(context), {
        historyDelta: [failed("a", 99_999, "history cannot be read")],
        metadata: { status: "Failed", output: "history cannot be read" },
      });

      const { status, output } = await context.admin.getInstanceInfo("a");
      context.check.equal(status, "Failed", "the status");
      context.check.equal(output, "history cannot be read", "the output");
    },
  }),
});

/**
 * Instances that are pinned to a version, or to none, each with a message in its queue, in this order. They are
 * all fetched before the first is acked: an earlier one's message would come before a later one's start.
 */
async function seed(context: CaseContext, pins: Readonly<Record<string, string | undefined>>): Promise<void> {
  const fetched = new Map<string, FetchedOrchestration>();
  for (const instance of Object.keys(pins)) {
    await context.provider.enqueueForOrchestrator(startItem(instance));
    fetched.set(instance, await mustFetch(context));
  }
  for (const [instance, pin] of Object.entries(pins)) {
    await firstTurn(context, given(fetched.get(instance), `the start of ${instance}`), {
      orchestratorItems: [raised(instance, "follow-up")],
      metadata: pin === undefined ? {} : { pinnedVersion: semver(pin) },
    });
  }
}

async function seedCorrupt(context: CaseContext, pin: string): Promise<void> {
  await seed(context, { a: pin });
  await context.store.corruptHistory?.("a");
}

/** Checks which instance a fetch with the filter finds, if any; it is given back. */
async function expectFound(
  context: CaseContext,
  supportedVersions: readonly VersionRange[],
  expected: string | undefined,
): Promise<void> {
  const fetched = await fetchOrchestration(context, { supportedVersions });
  context.check.equal(
    fetched?.item.instanceId,
    expected,
    `what is found by ${JSON.stringify(supportedVersions)}`,
  );
  if (fetched !== undefined) await context.provider.abandonOrchestrationItem(fetched.lockToken);
}

function expectHistoryError({ check }: CaseContext, fetched: FetchedOrchestration | undefined): void {
  const { item } = check.present(fetched, "an item with a damaged history");
  check.isTrue((item.historyError ?? "") !== "", "the item says why its history cannot be read");
  check.equal(item.history, [], "the history");
}

async function countAttemptsAtCorruptHistory(context: CaseContext, cycles: number): Promise<void> {
  const { provider, store, check } = context;
  await seedCorrupt(context, "1.0.0");
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const fetched = check.present(await fetchOrchestration(context, { lockTimeoutMs: 50 }), `cycle ${cycle}`);
    expectHistoryError(context, fetched);
    check.equal(fetched.attemptCount, cycle, "the attempt");
    await provider.abandonOrchestrationItem(fetched.lockToken);
  }
  check.equal(await store.maxAttemptCount?.("a"), cycles, "the stored attempt count");
}

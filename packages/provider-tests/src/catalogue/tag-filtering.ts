/** Workers take only activities that match their tag filter. Catalogue: tag_filtering. */
import type { TagFilter, U64 } from "@duroxide-ts/core/stores";
import { casesOf, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { activity } from "../messages.ts";
import { createInstance, fetchWork, mustFetchWork } from "../steps.ts";

const DEFAULT_ONLY: TagFilter = { kind: "default-only" };
const ANY: TagFilter = { kind: "any" };

export const tagFiltering: readonly ProviderCase[] = casesOf("tag_filtering", {
  async test_default_only_fetches_untagged(context) {
    await enqueue(context, undefined, "gpu", undefined);

    context.check.equal(await takeAll(context, DEFAULT_ONLY), [1, 3], "what has no tag");
  },

  async test_tags_fetches_only_matching(context) {
    await enqueue(context, undefined, "gpu", "cpu", "gpu");

    context.check.equal(await takeAll(context, tags("gpu")), [2, 4], "what is for a gpu");
  },

  async test_default_and_fetches_untagged_and_matching(context) {
    const { check } = context;
    await enqueue(context, undefined, "gpu", "cpu");

    check.equal(await takeAll(context, { kind: "default-and", tags: ["gpu"] }), [1, 2], "no tag, or gpu");
    check.equal(await takeAll(context, tags("cpu")), [3], "what was left");
  },

  async test_none_filter_returns_nothing(context) {
    const { check } = context;
    await enqueue(context, undefined, "gpu");

    check.equal(await takeAll(context, { kind: "none" }), [], "what a worker for nothing gets");
    check.equal(await takeAll(context, ANY), [1, 2], "what is still there for others");
  },

  async test_multi_tag_filter(context) {
    await enqueue(context, undefined, "gpu", "cpu", "tpu");

    context.check.equal(await takeAll(context, tags("gpu", "tpu")), [2, 4], "what is for a gpu or a tpu");
  },

  async test_tag_round_trip_preservation(context) {
    const { check } = context;
    await enqueue(context, "gpu");

    const fetched = check.present(await fetchWork(context, { tagFilter: tags("gpu") }), "the activity");

    check.equal(fetched.item, activity("a", 1, { tag: "gpu" }), "the activity, with its tag");
  },

  async test_any_filter_fetches_everything(context) {
    await enqueue(context, undefined, "gpu", "cpu");

    context.check.equal(await takeAll(context, ANY), [1, 2, 3], "everything");
  },

  async test_tag_survives_abandon_and_refetch(context) {
    const { provider, check } = context;
    await enqueue(context, "gpu", undefined);
    const first = await mustFetchWork(context, { tagFilter: tags("gpu") });
    await provider.abandonWorkItem(first.lockToken);

    check.equal(await takeAll(context, DEFAULT_ONLY), [2], "what a worker without tags gets");
    const again = check.present(await fetchWork(context, { tagFilter: tags("gpu") }), "the second fetch");
    check.equal(again.item, activity("a", 1, { tag: "gpu" }), "the activity, with its tag");
    check.isTrue(again.attemptCount >= 2, `the attempt is at least 2: it is ${again.attemptCount}`);
    check.notEqual(again.lockToken, first.lockToken, "the new token");
  },

  async test_multi_runtime_tag_isolation(context) {
    for (const { what, takers } of OVERLAPS) {
      const fresh = await context.openStore();
      await enqueue(fresh, undefined, "gpu", "cpu", "gpu", "tpu");
      for (const [index, { filter, ids }] of takers.entries()) {
        fresh.check.equal(await takeAll(fresh, filter), ids, `${what}: runtime ${index + 1}`);
      }
    }
  },

  async test_tag_preserved_through_ack_orchestration_item(context) {
    const { check } = context;
    const tagged = activity("a", 2, { tag: "gpu" });
    await createInstance(context, "a", { workerItems: [tagged, activity("a", 3)] });

    check.equal(await takeAll(context, DEFAULT_ONLY), [3], "what has no tag");
    const fetched = await fetchWork(context, { tagFilter: tags("gpu") });
    check.equal(fetched?.item, tagged, "the other, with its tag");
  },
});

/**
 * Filters that are used one after the other on five activities: 1 without a tag, 2 gpu, 3 cpu, 4 gpu, 5 tpu.
 * What one has taken is locked for all that follow.
 */
const OVERLAPS: readonly {
  readonly what: string;
  readonly takers: readonly { readonly filter: TagFilter; readonly ids: readonly number[] }[];
}[] = [
  {
    what: "no tag in common",
    takers: [
      { filter: tags("gpu"), ids: [2, 4] },
      { filter: tags("cpu"), ids: [3] },
      { filter: DEFAULT_ONLY, ids: [1] },
      { filter: ANY, ids: [5] },
    ],
  },
  {
    what: "some tags in common",
    takers: [
      { filter: tags("gpu", "cpu"), ids: [2, 3, 4] },
      { filter: { kind: "default-and", tags: ["cpu", "tpu"] }, ids: [1, 5] },
      { filter: ANY, ids: [] },
    ],
  },
  {
    what: "all tags in common",
    takers: [
      { filter: tags("gpu"), ids: [2, 4] },
      { filter: tags("gpu"), ids: [] },
      { filter: ANY, ids: [1, 3, 5] },
      { filter: ANY, ids: [] },
    ],
  },
];

function tags(...names: string[]): TagFilter {
  return { kind: "tags", tags: names };
}

/** One activity for each tag, with the ids 1, 2, …; `undefined` is one without a tag. */
async function enqueue({ provider }: CaseContext, ...tagOfEach: (string | undefined)[]): Promise<void> {
  for (const [index, tag] of tagOfEach.entries()) {
    await provider.enqueueForWorker(activity("a", index + 1, tag === undefined ? {} : { tag }));
  }
}

/** Ends also where a provider hands out the same activity for ever. */
const MOST_TAKEN = 10;

/** Fetches until nothing is left, and keeps the locks. The ids, in the order in which they came. */
async function takeAll(context: CaseContext, tagFilter: TagFilter): Promise<readonly U64[]> {
  const ids: U64[] = [];
  while (ids.length < MOST_TAKEN) {
    const fetched = await fetchWork(context, { tagFilter });
    if (fetched === undefined) break;
    ids.push(fetched.item.id);
  }
  return ids;
}

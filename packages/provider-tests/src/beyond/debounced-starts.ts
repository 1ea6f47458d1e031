/** Starts that are held back for further ones of their id (docs/reference/provider-contract.md §10.1). */
import type { FetchedOrchestration, StartInstanceOptions, StartOutcome } from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, needing, type ProviderCase } from "../case.ts";
import type { CaseContext } from "../context.ts";
import { continueItem, queueMessage, raised, startItem } from "../messages.ts";
import { ack, complete, createInstance, fetchOrchestration, firstTurn, mustFetch, turn } from "../steps.ts";
import { idsOf } from "./query-steps.ts";

const WAIT_MS = 60_000;
const debounce = { waitMs: WAIT_MS };

function begin(
  { provider }: Pick<CaseContext, "provider">,
  input: string,
  options: Partial<StartInstanceOptions> = {},
): Promise<StartOutcome> {
  const all = { ifExists: "reuse", messages: [], debounce, ...options } as const;
  return provider.startInstance(startItem("a", { input }), all);
}

const STORED: StartOutcome = { kind: "stored", created: true };
const REUSED: StartOutcome = { kind: "stored", created: false };

function inputsOf({ item }: FetchedOrchestration): readonly string[] {
  return item.messages.flatMap((message) => (message.kind === "StartOrchestration" ? [message.input] : []));
}

/** The inputs of the starts that may be fetched now. Their turns begin the instance. */
async function begun(context: CaseContext): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (let next = await fetchOrchestration(context); next; next = await fetchOrchestration(context)) {
    inputs.push(...inputsOf(next));
    const isNew = next.item.history.length === 0;
    await (isNew ? firstTurn : ack)(context, next);
  }
  return inputs;
}

const cases: GroupOfCases = {
  async "the last of several begins when no further one has come, and only that"(context) {
    const { check, time } = context;
    check.equal(await begin(context, "first"), STORED, "the first");
    await time.pass(WAIT_MS - 1_000);
    check.equal(await begin(context, "second"), REUSED, "the second");
    check.equal(await begin(context, "third"), REUSED, "the third");
    await time.pass(WAIT_MS - 1_000);
    check.equal(await begun(context), [], "before its time");
    await time.pass(1_100);
    check.equal(await begun(context), ["third"], "at its time");
    await time.pass(2 * WAIT_MS);
    check.equal(await begun(context), [], "later");
  },

  async "the longest time counts from the first one, and a wait may be shortened"(context) {
    const { check, time } = context;
    const limited = { debounce: { ...debounce, maxMs: 1.5 * WAIT_MS } };
    await begin(context, "first", limited);
    await time.pass(WAIT_MS - 1_000);
    await begin(context, "second", limited);
    await time.pass(WAIT_MS / 2);
    await begin(context, "third", limited);
    check.equal(await begun(context), [], "before the longest time");
    await time.pass(1_100);
    check.equal(await begun(context), ["third"], "after it");

    await complete(context, "a");
    await begin(context, "long", { ifExists: "restart" });
    await begin(context, "short", { ifExists: "restart", debounce: { waitMs: 1_000 } });
    await time.pass(1_100);
    check.equal(await begun(context), ["short"], "a shorter wait");
  },

  async "one that is due is not replaced: the next one has a wait of its own"(context) {
    const { check, time } = context;
    await begin(context, "first");
    await time.pass(WAIT_MS + 100);
    const due = await mustFetch(context);
    check.equal(inputsOf(due), ["first"], "what is due");
    await begin(context, "second", { ifExists: "restart" });
    await firstTurn(context, due, { metadata: { status: "Completed", output: "{}" } });
    check.equal(await begun(context), [], "at once");
    await time.pass(WAIT_MS + 100);
    check.equal(await begun(context), ["second"], "after its own wait");
  },

  async "its repetition does not restart the instance that it has restarted"(context) {
    const { check, time } = context;
    await createInstance(context, "a");
    await complete(context, "a");
    const options = { messageId: "one", ifExists: "restart" } as const;
    await begin(context, "again", options);
    await time.pass(WAIT_MS + 10);
    check.equal(await begun(context), ["again"], "what begins");
    await complete(context, "a");
    await begin(context, "repetition", options);
    await time.pass(2 * WAIT_MS);
    check.equal(await begun(context), [], "after the repetition");
  },

  async "its repetition does not hold it back further"(context) {
    const { check, time } = context;
    const options = { messageId: "one" };
    check.equal(await begin(context, "first", options), STORED, "the start");
    await time.pass(WAIT_MS / 2);
    check.equal(await begin(context, "second", options), REUSED, "its repetition");
    await time.pass(WAIT_MS / 2 + 10);
    check.equal(await begun(context), ["first"], "what begins");
    check.equal(await begin(context, "third", options), REUSED, "a repetition afterwards");
    await time.pass(WAIT_MS + 10);
    check.equal(await begun(context), [], "what begins then");
  },

  async "it is listed with its time, and messages for its id wait for it"(context) {
    const { check, admin, provider, time } = context;
    const startsAtMs = time.now() + WAIT_MS;
    await begin(context, "first");
    const { work } = await admin.listWork({ kind: "orchestrator" });
    check.equal(
      work.map((row) => [row.instanceId, row.startsAtMs]),
      [["a", startsAtMs]],
      "the row",
    );
    await provider.enqueueForOrchestrator(queueMessage("a", "early"), 0, { ifMissing: "fail" });
    check.absent(await fetchOrchestration(context), "a turn of the message alone");
    await time.pass(WAIT_MS + 100);
    const { item } = await mustFetch(context);
    const kinds = item.messages.map(({ kind }) => kind).toSorted();
    check.equal(kinds, ["QueueMessage", "StartOrchestration"], "the messages of the first turn");
  },

  async "an instance that runs goes on"(context) {
    const { check, time, provider } = context;
    await createInstance(context, "a");
    for (const ifExists of ["reuse", "fail", "restart"] as const) {
      check.equal(await begin(context, ifExists, { ifExists }), { ...STORED, created: false }, ifExists);
      await time.pass(WAIT_MS + 100);
      check.equal(await begun(context), [ifExists], "the message");
    }
    check.equal((await provider.getInstanceStatus("a"))?.status, "Running", "the status");
    check.equal((await provider.readHistory("a")).length, 1, "the events");
  },

  async "an instance that has ended stays, unless it is to be restarted"(context) {
    const { check, time, provider } = context;
    await createInstance(context, "a");
    await createInstance(context, "child", { parentInstanceId: "a" });
    await provider.enqueueForOrchestrator(raised("a", "old"), 0, { messageId: "old" });
    await turn(context, "a", { metadata: { status: "Completed", output: '"first"' } });
    for (const ifExists of ["reuse", "fail"] as const) {
      await begin(context, ifExists, { ifExists });
      await time.pass(WAIT_MS + 100);
      check.equal(await begun(context), [ifExists], "the message");
      check.equal((await provider.getInstanceStatus("a"))?.output, '"first"', "the result");
    }
    await begin(context, "again", { ifExists: "restart", messageId: "again" });
    check.equal((await provider.getInstanceStatus("a"))?.output, '"first"', "during the wait");
    await time.pass(WAIT_MS + 100);
    const again = await mustFetch(context);
    check.equal(inputsOf(again), ["again"], "the messages");
    check.equal(again.item.history, [], "the history");
    await firstTurn(context, again);
    check.equal((await provider.getInstanceStatus("a"))?.status, "Running", "the status");
    check.equal(await idsOf(context), ["a"], "what is left");
    await time.pass(2 * WAIT_MS);
    check.equal(await begun(context), [], "later");
  },

  async "the deletion of the instance that has the id leaves it"(context) {
    const { check, time, admin } = context;
    const deletions: Readonly<Record<string, () => Promise<unknown>>> = {
      one: () => admin.deleteInstance("a"),
      many: () => admin.deleteInstances({ instanceIds: ["a"] }),
      force: () => admin.deleteInstance("a", { force: true }),
    };
    await createInstance(context, "a");
    for (const [name, deleteIt] of Object.entries(deletions)) {
      if (name !== "force") await complete(context, "a");
      await begin(context, name);
      await deleteIt();
      check.equal(await idsOf(context), [], "what is left");
      check.equal(await begun(context), [], "before its time");
      await begin(context, `${name}, then another`);
      await time.pass(WAIT_MS + 100);
      check.equal(await begun(context), [`${name}, then another`], "at its time");
    }
    await complete(context, "a");
    await begin(context, "last");
    await admin.deleteInstance("a");
    await time.pass(WAIT_MS + 100);
    check.equal(await begun(context), ["last"], "without another one");
  },

  async "a child that has ended stays"(context) {
    const { check, time, provider } = context;
    await createInstance(context, "parent");
    await createInstance(context, "a", { parentInstanceId: "parent" });
    await complete(context, "a");
    await begin(context, "again", { ifExists: "restart" });
    await time.pass(WAIT_MS + 100);
    check.equal(await begun(context), ["again"], "the message");
    check.equal((await provider.getInstanceStatus("a"))?.status, "Completed", "the status");
  },

  async "an instance that continues as new runs"(context) {
    const { check, time } = context;
    await createInstance(context, "a");
    await begin(context, "again", { ifExists: "restart" });
    await turn(context, "a", {
      metadata: { status: "ContinuedAsNew", output: "{}" },
      orchestratorItems: [continueItem("a")],
    });
    await time.pass(WAIT_MS + 100);
    const { item } = await mustFetch(context);
    const kinds = item.messages.map(({ kind }) => kind).toSorted();
    check.equal(kinds, ["ContinueAsNew", "StartOrchestration"], "the messages of the next execution");
  },

  ...needing(["several-providers"], {
    async "of starts at the same moment one is left"(context) {
      const { check, time } = context;
      const other = await context.openAnother();
      for (const round of [1, 2]) {
        const inputs = Array.from({ length: 6 }, (_, n) => `${round}.${n}`);
        const { value: outcomes } = await time.measure(
          () => Promise.all(inputs.map((input, n) => begin(n % 2 === 0 ? context : other, input))),
          WAIT_MS / 2,
        );
        check.equal(
          outcomes.map(({ kind }) => kind),
          inputs.map(() => "stored" as const),
          "the answers",
        );
      }
      await time.pass(2 * WAIT_MS);
      const [input = "none", ...others] = await begun(context);
      check.equal([input.slice(0, 2), ...others], ["2."], "what begins");
    },
  }),
};

/** Minutes pass. */
export const debouncedStarts: readonly ProviderCase[] = casesOf(
  "debounced_starts",
  needing(["virtual-time"], cases),
);

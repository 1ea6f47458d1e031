/**
 * A start with its messages and deadline, in one commit, and the rules for a taken id
 * (docs/reference/provider-contract.md §10.1).
 */
import type {
  OrchestratorItem,
  StartInstanceOptions,
  StartMessage,
  StartOutcome,
  WorkItemOf,
} from "@duroxide-ts/core/stores";
import { casesOf, type GroupOfCases, type ProviderCase } from "../case.ts";
import type { Caller, CaseContext } from "../context.ts";
import { NAMED, queueMessage, raised, startItem } from "../messages.ts";
import {
  ack,
  complete,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  firstTurn,
  given,
  mustFetch,
  turn,
} from "../steps.ts";

type Start = WorkItemOf<"StartOrchestration">;

function begin(
  { provider }: Caller,
  start: Start | string,
  options: Partial<StartInstanceOptions> = {},
): Promise<StartOutcome> {
  const item = typeof start === "string" ? startItem(start) : start;
  const begun = provider.startInstance(item, { ifExists: "reuse", messages: [], ...options });
  return given(begun, "no startInstance");
}

const STORED: StartOutcome = { kind: "stored", created: true };
const REUSED: StartOutcome = { kind: "stored", created: false };

function taken(status: Extract<StartOutcome, { kind: "exists" }>["status"]): StartOutcome {
  return { kind: "exists", orchestration: "TestOrch", status };
}

function cancellation(instance: string): WorkItemOf<"CancelInstance"> {
  return { kind: "CancelInstance", instance, reason: "timeout", deadline_ms: 1 };
}

async function fetchedKinds(caller: Caller): Promise<readonly string[]> {
  const fetched = await fetchOrchestration(caller);
  if (fetched === undefined) return [];
  await ack(caller, fetched);
  return fetched.item.messages.map((message) => ("name" in message ? message.name : message.kind));
}

/** The calls are under way together. A store may pause before it repeats one, so time passes meanwhile. */
async function allAtOnce<T>(
  { time }: CaseContext,
  numbers: readonly number[],
  call: (n: number) => Promise<T>,
): Promise<readonly T[]> {
  const { value } = await time.measure(() => Promise.all(numbers.map(call)), 600_000);
  return value;
}

const STATUSES = ["Completed", "Failed"] as const;

const ofEnded: GroupOfCases = Object.fromEntries(
  STATUSES.map((status) => [
    `an instance that is ${status} is started anew with nothing of its past`,
    async (context: CaseContext) => {
      const { provider, check, time } = context;
      await createInstance(context, "a");
      await provider.enqueueForOrchestrator(raised("a", "old"), 0, { messageId: "one" });
      await turn(context, "a", {
        metadata: { status, output: "{}" },
        orchestratorItems: [{ ...cancellation("a"), reason: "late" }],
      });
      const options = { ifExists: "restart", messages: [queueMessage("a", "new")] } as const;
      check.equal(await begin(context, startItem("a", { input: "2" }), options), STORED, "the restart");
      const again = await mustFetch(context);
      check.equal(again.item.history, [], "the history");
      check.equal(
        again.item.messages,
        [startItem("a", { input: "2" }), queueMessage("a", "new")],
        "the messages",
      );
      await time.pass(10);
      check.absent(await provider.getInstanceStatus("a"), "the status before its first turn");
    },
  ]),
);

/** Starts that are under way together, of which one is stored with all that comes with it. */
const atOnce: GroupOfCases = Object.fromEntries(
  (
    [
      ["starts at once that require that the id is free", "fail", undefined],
      ["such starts at once that must end in time", "fail", { item: cancellation("a"), delayMs: 60_000 }],
      ["restarts at once", "restart", undefined],
    ] as const
  ).map(([what, ifExists, deadline]) => [
    `of several ${what} one is stored`,
    async (context: CaseContext) => {
      const { check } = context;
      if (ifExists === "restart") {
        await createInstance(context, "a");
        await complete(context, "a");
      }
      const outcomes = await allAtOnce(context, [1, 2, 3, 4], (n) =>
        begin(context, startItem("a", { input: String(n) }), {
          ifExists,
          messages: [queueMessage("a", String(n))],
          ...(deadline && { deadline }),
        }),
      );
      const stored = outcomes.findIndex(({ kind }) => kind === "stored");
      const expected = [1, 2, 3, 4].map((n) => (n === stored + 1 ? STORED : taken("Queued")));
      check.equal(outcomes, expected, "the outcomes");
      const { item } = await mustFetch(context);
      const input = String(stored + 1);
      check.equal(item.messages, [startItem("a", { input }), queueMessage("a", input)], "the messages");
    },
  ]),
);

const OTHER = { orchestration: "Another" };

export const starts: readonly ProviderCase[] = casesOf("starts", {
  async "reusing the id of another orchestration stores nothing, and says what has it"(context) {
    const { provider, check } = context;
    await createInstance(context, "a");
    const other = startItem("a", OTHER);
    const exists = taken("Running");
    check.equal(
      await begin(context, other, { messages: [queueMessage("a", "q")] }),
      exists,
      "with a message",
    );
    check.equal(await begin(context, other, { messageId: "one" }), exists, "under an id");
    check.equal(
      await provider.enqueueForOrchestrator(other, 0, { ifTaken: "tell" }),
      { orchestration: "TestOrch", status: "Running" },
      "alone",
    );
    check.equal(await fetchedKinds(context), [], "the messages");
    await complete(context, "a");
    check.equal(await begin(context, other, { messageId: "two" }), taken("Completed"), "after its end");
    check.equal(await begin(context, other, { ifExists: "restart" }), STORED, "a restart");
  },

  async "a start says whether its id was free"(context) {
    const { provider, check } = context;
    const plain = () => provider.enqueueForOrchestrator(startItem("a"), 0, { ifTaken: "tell" });
    check.equal(await plain(), "stored", "the first");
    await firstTurn(context, await mustFetch(context));
    check.equal(await plain(), "reused", "the second");
    check.equal(await begin(context, "a", { messages: [queueMessage("a", "q")] }), REUSED, "with a message");
    check.equal(await begin(context, "b", { messages: [queueMessage("b", "q")] }), STORED, "another id");
  },

  async "a start whose id is said to be new begins no second instance where that is wrong"(context) {
    const { provider, check } = context;
    const plain = () => provider.enqueueForOrchestrator(startItem("a"), 0, { isNewId: true });
    check.equal(await plain(), "stored", "the first");
    check.equal(await plain(), "stored", "the second");
    await firstTurn(context, await mustFetch(context));
    check.equal(await plain(), "stored", "a third, when the instance exists");
    const { item } = await mustFetch(context);
    check.equal(item.history.length, 1, "the events of the first turn");
    check.isTrue(
      item.messages.every(({ kind }) => kind === "StartOrchestration"),
      "only starts come",
    );
    check.equal(await begin(context, "b", { isNewId: true }), STORED, "with options");
  },

  async "its messages come with it, after it and in their order"(context) {
    const { check } = context;
    const messages: StartMessage[] = [
      queueMessage("a", "first"),
      { kind: "ExternalRaised", instance: "a", name: "second", data: "{}" },
      queueMessage("a", "third"),
    ];
    check.equal(await begin(context, "a", { messages }), STORED, "the start");
    const { item } = await mustFetch(context);
    check.equal(item.messages, [startItem("a"), ...messages], "the messages of the first batch");
  },

  async "fifty messages come with it"(context) {
    const { check } = context;
    const messages = Array.from({ length: 50 }, (_, index) => queueMessage("a", `m${index}`));
    await begin(context, "a", { messages, ifExists: "fail", messageId: "one" });
    const found: OrchestratorItem[] = [];
    // A store may return the messages in several batches.
    while (found.length <= messages.length) {
      const fetched = await mustFetch(context);
      found.push(...fetched.item.messages);
      await ack(context, fetched, { metadata: NAMED });
    }
    check.equal(found, [startItem("a"), ...messages], "the messages");
  },

  async "its deadline is visible when it has passed"(context) {
    const { check, time } = context;
    await begin(context, "a", { deadline: { item: cancellation("a"), delayMs: 1_000 } });
    const first = await mustFetch(context);
    check.equal(
      first.item.messages.map(({ kind }) => kind),
      ["StartOrchestration"],
      "before",
    );
    await ack(context, first, { metadata: NAMED });
    await time.pass(1_100);
    check.equal((await mustFetch(context)).item.messages, [cancellation("a")], "after");
  },

  async "reusing an instance brings its messages to it, and no deadline"(context) {
    const { check, time } = context;
    await createInstance(context, "a");
    const options = {
      messages: [queueMessage("a", "more")],
      deadline: { item: cancellation("a"), delayMs: 10 },
    };
    check.equal(await begin(context, "a", options), REUSED, "the start");
    const kinds = await fetchedKinds(context);
    check.equal(kinds.includes("more"), true, "whether the message came");
    await time.pass(100);
    check.equal(await fetchedKinds(context), [], "what comes after the deadline");
  },

  async "a running instance is not started again where that is to fail"(context) {
    const { check } = context;
    await createInstance(context, "a");
    for (const ifExists of ["fail", "restart"] as const) {
      const options = { ifExists, messages: [queueMessage("a", "more")] };
      check.equal(await begin(context, "a", options), taken("Running"), ifExists);
    }
    check.absent(await fetchOrchestration(context), "a fetch after the refused starts");
  },

  async "an instance between two executions is running"(context) {
    const { check } = context;
    await createInstance(context, "a");
    await continueAsNew(context, "a", 2);
    check.equal(await begin(context, "a", { ifExists: "restart" }), taken("Running"), "in execution 2");
    await turn(context, "a", { metadata: { status: "ContinuedAsNew", output: "{}" } });
    check.equal(await begin(context, "a", { ifExists: "restart" }), taken("Running"), "after its end");
  },

  async "a start that waits in the queue counts as the instance"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(startItem("plain"));
    await begin(context, "checked", { ifExists: "fail" });
    for (const id of ["plain", "checked"]) {
      for (const ifExists of ["fail", "restart"] as const) {
        check.equal(await begin(context, id, { ifExists }), taken("Queued"), `${id}, ${ifExists}`);
      }
    }
  },

  async "messages alone are no instance"(context) {
    const { provider, check } = context;
    await provider.enqueueForOrchestrator(queueMessage("a", "early"));
    check.equal(await begin(context, "a", { ifExists: "fail" }), STORED, "the start");
    const { item } = await mustFetch(context);
    check.equal(
      item.messages.map((message) => ("name" in message ? message.name : message.kind)),
      ["early", "StartOrchestration"],
      "the messages",
    );
  },

  async "an ended instance is not started again where that is to fail"(context) {
    const { check } = context;
    for (const status of STATUSES) {
      await createInstance(context, status);
      await complete(context, status, status);
      check.equal(await begin(context, status, { ifExists: "fail" }), taken(status), status);
    }
  },

  ...atOnce,

  async "a start that is sent again under its id is stored once"(context) {
    const { check } = context;
    const send = (ifExists: StartInstanceOptions["ifExists"], messageId: string) =>
      begin(context, "a", { ifExists, messageId, messages: [queueMessage("a", messageId)] });
    for (const _ of [1, 2]) check.equal(await send("fail", "one"), STORED, "the start");
    check.equal(await send("reuse", "one"), REUSED, "the start under another rule");
    const fetched = await mustFetch(context);
    check.equal(fetched.item.messages, [startItem("a"), queueMessage("a", "one")], "the messages");
    await ack(context, fetched, { metadata: { ...NAMED, status: "Completed" } });
    check.equal(await send("fail", "one"), STORED, "the start after the end");
    check.absent(await fetchOrchestration(context), "a fetch after the repetition");
    for (const _ of [1, 2]) check.equal(await send("restart", "two"), STORED, "the restart");
    const again = await mustFetch(context);
    check.equal(again.item.messages, [startItem("a"), queueMessage("a", "two")], "the messages anew");
  },

  ...ofEnded,

  async "the children of an instance that is started anew go with it, running ones too"(
    context: CaseContext,
  ) {
    const { provider, check } = context;
    await createInstance(context, "a");
    await createInstance(context, "child", { parentInstanceId: "a" });
    await complete(context, "a");
    const child = await begin(context, "child", { ifExists: "restart" });
    check.equal(child, taken("Running"), "the restart of a running child");
    check.equal(await begin(context, "a", { ifExists: "restart" }), STORED, "the restart of the root");
    check.absent(await provider.getInstanceStatus("child"), "the status of the child");
  },

  async "a child is not started anew without its parent"(context) {
    const { check } = context;
    await createInstance(context, "a");
    await createInstance(context, "child", { parentInstanceId: "a" });
    await complete(context, "child");
    const restart = begin(context, "child", { ifExists: "restart" });
    await check.rejects(restart, "sub-orchestration", "the restart");
    check.equal(await begin(context, "child", { ifExists: "fail" }), taken("Completed"), "the child");
  },

  async "what cannot be a start is refused"(context) {
    const { check } = context;
    const wrong: Readonly<Record<string, Partial<StartInstanceOptions>>> = {
      "a message for another instance": { messages: [queueMessage("b", "x")] },
      "an unknown rule": { ifExists: "replace" as "fail" },
      "an empty id": { messageId: "" },
      "a negative delay": { deadline: { item: cancellation("a"), delayMs: -1 } },
    };
    for (const [what, options] of Object.entries(wrong)) {
      await check.rejects(begin(context, "a", options), "invalid-input", what);
    }
    check.absent(await fetchOrchestration(context), "a fetch");
  },
});

/** Debounced starts that meet each other, the turn that takes them, and deletions (docs/decisions/limits.md). */
import type { StartInstanceOptions, StartOutcome } from "@duroxide-ts/core/stores";
import {
  complete,
  createInstance,
  fetchOrchestration,
  mustFetch,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { allDocuments } from "./invariants/documents.ts";
import type { Actor } from "./support/stage.ts";
import { commit } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";
import { expectSettled, requestsOf } from "./support/waiting-fetch.ts";

const WAIT_MS = 10_000;
const LOOK = /query \["a"\] orch_queue/;

const stage = useStage("debounced-start");

function begin(
  { provider }: Pick<Actor, "provider">,
  input: string,
  options: Partial<StartInstanceOptions> = {},
): Promise<StartOutcome> {
  const all = { ifExists: "reuse", messages: [], debounce: { waitMs: WAIT_MS }, ...options } as const;
  return provider.startInstance(startItem("a", { input: `"${input}"` }), { messageId: input, ...all });
}

/** The inputs of the starts that wait. */
async function held(): Promise<readonly unknown[]> {
  const rows = (await allDocuments(stage.raw)).filter(({ type }) => type === "orch_queue");
  return rows.map((row) => JSON.parse(JSON.parse(String(row["workItem"])).StartOrchestration.input));
}

it("a start is a look and a batch, also one that takes the place of another", async () => {
  const requests = await requestsOf(stage, async () => {
    await begin(stage, "first");
    await begin(stage, "second");
  });
  expect(requests).toEqual([
    'query ["a"] orch_queue',
    'batch ["a"] Create receipt, Create orch_queue',
    'query ["a"] orch_queue',
    'batch ["a"] Create receipt, Delete, Create orch_queue',
  ]);
  expect(await held()).toEqual(["second"]);
});

it("hold-start.H2: of two first starts at once the later one stays", async () => {
  const other = await stage.openAnother();
  stage.trap.meanwhile(LOOK, () => begin(other, "second"));
  expect(await begin(stage, "first")).toEqual({ kind: "stored", created: false });
  expect(await held()).toEqual(["first"]);
});

it("hold-start.H1: of two further starts at once the later one stays", async () => {
  const other = await stage.openAnother();
  await begin(stage, "first");
  stage.trap.meanwhile(LOOK, () => begin(other, "second"));
  await begin(stage, "third");
  expect(await held()).toEqual(["third"]);
});

it("hold-start.H1: a turn that has taken a start which was replaced is refused", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  await begin(stage, "first");
  stage.trap.meanwhile(LOOK, async () => {
    await stage.clock.advance(WAIT_MS);
    const taken = await mustFetch(other);
    stage.trap.meanwhile(/Delete/, async () => {
      await expect(commit(other, taken)).rejects.toMatchObject({ code: "lock-lost" });
    });
  });
  await begin(stage, "second");
  expect(await held()).toEqual(["second"]);
  expect(await fetchOrchestration(other)).toBeUndefined();
  await stage.clock.advance(WAIT_MS);
  const { item } = await mustFetch(other);
  expect(item.messages).toMatchObject([{ input: '"second"' }]);
});

it("hold-start.H1: a start that finds its predecessor taken waits by itself", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  await begin(stage, "first");
  stage.trap.meanwhile(LOOK, async () => {
    await stage.clock.advance(WAIT_MS);
    await commit(other, await mustFetch(other));
  });
  expect(await begin(stage, "second")).toEqual({ kind: "stored", created: false });
  expect(await held()).toEqual(["second"]);
  await stage.clock.advance(WAIT_MS);
  await expectSettled(stage);
});

it.each([
  ["a first one", []],
  ["a further one", ["before"]],
])("%s whose answer was lost is stored once", async (_, before) => {
  for (const input of before) await begin(stage, input);
  stage.trap.loseAnswerOf(/Create orch_queue/, async () => {});
  expect(await begin(stage, "lost")).toEqual({ kind: "stored", created: before.length === 0 });
  expect(await held()).toEqual(["lost"]);
});

it("what was replaced is not looked for when it would have been due", async () => {
  for (const input of ["first", "second", "third"]) {
    await begin(stage, input);
    await stage.clock.advance(WAIT_MS / 2);
  }
  const requests = await requestsOf(stage, async () => {
    expect(await fetchOrchestration(stage)).toBeUndefined();
  });
  expect(requests).toEqual([]);
});

it("a start that comes while the due one begins the instance again is kept", async () => {
  const other = await stage.openAnother();
  await createInstance(stage, "a");
  await complete(stage, "a");
  await begin(stage, "first", { ifExists: "restart" });
  await stage.clock.advance(WAIT_MS);
  stage.trap.meanwhile(/Create delete_intent/, () => begin(other, "second", { ifExists: "restart" }));
  await commit(stage, await mustFetch(stage));
  expect(await held()).toEqual(["second"]);
});

it("a start that is replaced while it is due begins nothing again", async () => {
  const other = await stage.openAnother();
  await createInstance(stage, "a");
  await complete(stage, "a");
  await begin(stage, "first", { ifExists: "restart" });
  const isRead = Promise.withResolvers<void>();
  let fetch: Promise<unknown> | undefined;
  other.trap.meanwhile(LOOK, async () => {
    await stage.clock.advance(WAIT_MS);
    fetch = fetchOrchestration(stage);
    await isRead.promise;
  });
  stage.trap.meanwhile(/instance, orch_queue/, async () => {
    isRead.resolve();
    await replacing;
  });
  const replacing = begin(other, "second", { ifExists: "restart" });
  await replacing;
  expect(await fetch).toBeUndefined();
  expect(await held()).toEqual(["second"]);
  expect(await stage.provider.getInstanceStatus("a")).toMatchObject({ status: "Completed" });
});

it("a start is not repeated after it has begun the instance again", async () => {
  await createInstance(stage, "a");
  await complete(stage, "a");
  await begin(stage, "first", { ifExists: "restart" });
  await stage.clock.advance(WAIT_MS);
  await commit(stage, await mustFetch(stage));
  expect(await begin(stage, "first", { ifExists: "restart" })).toEqual({ kind: "stored", created: true });
  expect(await held()).toEqual([]);
});

it("a start that has run, and was restarted by another one, before it is sent again begins once", async () => {
  const other = { ...stage, ...(await stage.openAnother()) };
  const restart = (actor: Pick<Actor, "provider">, input: string) =>
    begin(actor, input, { ifExists: "restart" });
  const endOne = async (): Promise<void> => {
    await stage.clock.advance(WAIT_MS);
    await commit(other, await mustFetch(other));
    await complete(other, "a");
  };
  stage.trap.loseAnswerOf(/Create orch_queue/, async () => {
    await endOne();
    await restart(other, "second");
    await endOne();
  });
  expect(await restart(stage, "first")).toMatchObject({ kind: "stored" });
  expect(await held()).toEqual([]);
});

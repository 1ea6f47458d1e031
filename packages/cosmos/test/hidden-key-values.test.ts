/** Events and key-values that a replica that lags behind does not show: at the end of an execution, and where a turn begins. */
import { expect, it } from "vitest";
import { letTimePass } from "./connection/fixture.ts";
import { allDocuments } from "./invariants/documents.ts";
import type { Stage } from "./support/stage.ts";
import { begin, carryOut, commit, fetchPlanned } from "./support/steps.ts";
import type { ShownDocument } from "./support/trap.ts";
import { useStage } from "./support/use-stage.ts";

let stage: Stage;
useStage("hidden-key-values", (its) => {
  stage = its;
});

const QUERY_OF_LAYERS = /^query \["a"\] kv, kv_delta/;
const QUERY_OF_EVENTS = /^query \["a"\] history/;
const QUERY_OF_HISTORY = /^query \["a"\] history, kv/;

/** Rewrites the instance as Rust does: without the notes. */
async function rewriteAsRust(instanceId: string): Promise<void> {
  const id = `${instanceId}:instance`;
  const { resource } = await stage.raw.item(id, instanceId).read();
  const { duroxideTs: _, ...known } = resource;
  await stage.raw.item(id, instanceId).replace(known);
}

/** Hides them from the next read; says whether they were read. */
function hideLayers({ trap }: Pick<Stage, "trap">): () => boolean {
  let wereHidden = false;
  trap.lagBehind(QUERY_OF_LAYERS, () => {
    wereHidden = true;
    return [];
  });
  return () => wereHidden;
}

async function mergedAndLeft(): Promise<readonly (number | undefined)[]> {
  const stored = Map.groupBy(await allDocuments(stage.raw), ({ type }) => type);
  return [stored.get("kv")?.length, stored.get("kv_delta")?.length];
}

it("they are merged although the first read does not find them", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { keys: 2 });
  const wereHidden = hideLayers(stage);
  await letTimePass(stage.clock, carryOut(stage, "a", { end: true }));
  expect(wereHidden()).toBe(true);
  expect(await mergedAndLeft()).toEqual([2, undefined]);
});

it("they are merged although the first read does not find them, of an instance that Rust wrote", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { keys: 2 });
  await rewriteAsRust("a");
  const other = { ...(await stage.openAnother()), clock: stage.clock };
  const ending = await fetchPlanned(other, "a", { end: true });
  const wereHidden = hideLayers(other);
  await letTimePass(stage.clock, commit(other, ending));
  expect(wereHidden()).toBe(true);
  expect(await mergedAndLeft()).toEqual([2, undefined]);
});

it("a turn of an instance that Rust wrote begins with all events and key-values", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { keys: 2 });
  await carryOut(stage, "a", { continueAsNew: true });
  const before = (await stage.provider.readHistory("a")).length;
  await rewriteAsRust("a");
  const other = { ...(await stage.openAnother()), clock: stage.clock };
  const ofEarlierTurn = (documents: readonly ShownDocument[]) =>
    documents
      .filter(({ id }) => id === "a:instance" || id === "a:history:1:1")
      .map((each) => ({ ...each, lockToken: null }));
  other.trap.lagBehind(QUERY_OF_HISTORY, ofEarlierTurn);
  const { item } = await letTimePass(stage.clock, fetchPlanned(other, "a", {}));
  expect([item.history.length, item.kvSnapshot.size]).toEqual([before, 2]);
});

it("a turn does not begin with the events of an earlier instance with the id", async () => {
  await begin(stage, "a");
  await carryOut(stage, "a", { end: true });
  let shown: readonly ShownDocument[] = [];
  const before = await stage.openAnother();
  before.trap.lagBehind(QUERY_OF_EVENTS, (documents) => (shown = documents));
  await before.provider.readHistory("a");
  await stage.provider.admin.deleteInstance("a");
  await stage.clock.advance(1);
  await begin(stage, "a");
  const other = { ...(await stage.openAnother()), clock: stage.clock };
  other.trap.lagBehind(QUERY_OF_EVENTS, () => shown);
  const { item } = await letTimePass(stage.clock, fetchPlanned(other, "a", {}));
  expect([shown.length > 3, item.history.length]).toEqual([true, 1]);
});

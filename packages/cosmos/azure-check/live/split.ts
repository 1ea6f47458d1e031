/** `--split`: the throughput of a container grows under load until the service divides it. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  expect,
  expectEqual,
  expectStatus,
  type Fields,
  fieldsOf,
  Items,
} from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";
import { command } from "./endpoint-commands.ts";
import { keepHot } from "./hot-partition.ts";
import { Load } from "./load.ts";

const NAME = "split";
const LEAST_RU = 400;
/** More than one physical partition carries. */
const MOST_RU = 11_000;
const LONGEST_GAP_MS = 5_000;
/** The service takes from minutes to an hour. */
const SPLIT_WITHIN_MS = 90 * 60_000;
const LOOK_EVERY_MS = 2_000;
/** Orchestrations before and after. */
const SOME = 50;

export const SPLIT = step({
  id: "split",
  phase: "split",
  title: "A split under load",
  gates: {
    "split-gap": "between two completions are never more than 5 s",
    "split-nothing-lost": "every orchestration that was started ends right",
    "hot-partition": "while one physical partition is throttled, orchestrations in the others end",
  },
  estimateRu: () => 2_000_000,
  estimateUsd: 1.8,
  async run(stage, notes) {
    const { key } = stage.place;
    if (key === undefined) return notes.skipAll("an identity cannot change the throughput");
    if (stage.facts.capacity === "serverless")
      return notes.skipAll("a serverless account does not split by throughput");
    await using provider = await stage.connect({ container: NAME, throughput: LEAST_RU });
    const items = new Items(stage.raw, `${stage.databaseLink}/colls/${NAME}`);
    const before = await items.rangeIds();
    await using load = await Load.begin(provider, stage.partition("split"), stage.scale.patienceMs);
    await load.until(SOME);
    await raise(stage, items);
    const hasSplit = await splits(stage, items, before.length);
    await load.until(load.completed + SOME);
    const result = await load.end();
    notes.record("ranges before and after", [before.length, (await items.rangeIds()).length]);
    notes.record("load", result);
    await notes.expect("the container splits", () => expect(hasSplit, "it has not, within the time"));
    await notes.gate("split-gap", () =>
      expect(result.longestGapMs <= LONGEST_GAP_MS, `the longest was ${result.longestGapMs} ms`),
    );
    await notes.gate("split-nothing-lost", () =>
      expectEqual(result.lost, [], "orchestrations that did not end"),
    );
    if (!hasSplit) return notes.skip("hot-partition", "there is one physical partition only");
    await notes.gate("hot-partition", async () =>
      notes.record("hot partition", await keepHot(stage, provider, items)),
    );
  },
});

/** Replaces the offer of the container; our endpoint, which keeps offers as they are, divides it by command. */
async function raise(stage: Stage, { link }: Items): Promise<void> {
  const { raw, database, place } = stage;
  if (place.emulator !== undefined) {
    await command(stage, "POST", "split", { database, container: NAME });
    return;
  }
  const container = expectStatus(await raw.send({ method: "GET", link }), 200).fields;
  const listed = expectStatus(await raw.send({ method: "GET", link: "offers" }), 200).fields["Offers"];
  const offers = Array.isArray(listed) ? listed.map(fieldsOf) : [];
  const offer: Fields | undefined = offers.find((each) => each["offerResourceId"] === container["_rid"]);
  expect(offer !== undefined, "the container has no offer of its own");
  const body = { ...offer, content: { ...fieldsOf(offer["content"]), offerThroughput: MOST_RU } };
  const { status, text } = await raw.send({ method: "PUT", link: `offers/${String(offer["id"])}`, body });
  expect(status < 300, `the throughput cannot be raised: ${status} ${text.slice(0, 200)}`);
}

async function splits({ place, scale, say }: Stage, items: Items, before: number): Promise<boolean> {
  const withinMs =
    place.emulator === undefined ? SPLIT_WITHIN_MS : Math.min(scale.patienceMs, 5 * LOOK_EVERY_MS);
  const untilMs = Date.now() + withinMs;
  say(
    `The throughput was raised to ${MOST_RU} RU/s; the service may take an hour until it splits the container.`,
  );
  while (Date.now() < untilMs) {
    if ((await items.rangeIds()).length > before) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** `--failover`: the operator moves the write region under load. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, expectEqual, expectStatus, fieldsOf } from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";
import { command } from "./endpoint-commands.ts";
import { Load } from "./load.ts";

const WITHIN_MS = 60 * 60_000;
const LOOK_EVERY_MS = 5_000;
const SOME = 50;

export const FAILOVER = step({
  id: "failover",
  phase: "failover",
  title: "A failover under load",
  gates: {
    "failover-goes-on": "orchestrations end after the write region has moved",
    "failover-nothing-lost": "every orchestration that was started ends right",
  },
  estimateRu: () => 200_000,
  async run(stage, notes) {
    const regions = await regionsOf(stage);
    if (stage.place.emulator === undefined && regions.all.length < 2)
      return notes.skipAll("the account has one region only");
    const place = stage.ownContainer("failover");
    await using provider = await stage.connect(place);
    await using load = await Load.begin(provider, stage.partition("failover"), stage.scale.patienceMs);
    await load.until(SOME);
    const hasMoved = await moved(stage, regions, place.container ?? stage.container);
    if (hasMoved === "not-here") return notes.skipAll("this endpoint knows no failover");
    const completed = load.completed;
    await notes.gate("failover-goes-on", async () => {
      expect(hasMoved, "the write region has not moved within the time");
      await load.until(completed + SOME);
    });
    const result = await load.end();
    notes.record("load", result);
    await notes.gate("failover-nothing-lost", () =>
      expectEqual(result.lost, [], "orchestrations that did not end"),
    );
  },
});

interface Regions {
  readonly write: string;
  readonly all: readonly string[];
}

async function regionsOf({ raw }: Stage): Promise<Regions> {
  const { fields } = expectStatus(await raw.send({ method: "GET", link: "", path: "/" }), 200);
  const names = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.map((each) => String(fieldsOf(each)["name"])) : [];
  return { write: names(fields["writableLocations"])[0] ?? "", all: names(fields["readableLocations"]) };
}

/** Our endpoint does it by command; on an account the operator does. */
async function moved(
  stage: Stage,
  { write, all }: Regions,
  container: string,
): Promise<boolean | "not-here"> {
  const { database, say, place } = stage;
  if (place.emulator !== undefined)
    return (await command(stage, "POST", "failover", { database, container })) || "not-here";
  const order = [...all.filter((name) => name !== write), write].map((name, n) => `'${name}=${n}'`).join(" ");
  say("Move the write region now, in another terminal:");
  say(
    `  az cosmosdb failover-priority-change --resource-group GROUP --name ACCOUNT --failover-policies ${order}`,
  );
  const untilMs = Date.now() + WITHIN_MS;
  while (Date.now() < untilMs) {
    if ((await regionsOf(stage).catch(() => ({ write }))).write !== write) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** The connection between a simulated process and the service. */
import { createHttpHeaders, createPipelineRequest } from "@azure/core-rest-pipeline";
import { InProcessEndpoint } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { CALM_LINK, Link } from "../cosmos/link.ts";
import { transportOf } from "../cosmos/transport.ts";
import { Chance } from "../world/chance.ts";
import { newWorld } from "./new-world.ts";

it("refuses a request whose signal was aborted before, because a lost answer would never end it", async () => {
  const world = newWorld();
  await using endpoint = new InProcessEndpoint({
    now: () => world.nowMs,
    monotonicMs: () => world.nowMs,
    newId: () => "id",
    random: () => 0,
    wait: async () => {},
  });
  const link = new Link(new Chance(1));
  link.weather = { ...CALM_LINK, lostAnswers: 1 };
  const send = transportOf({ world, endpoint, onHit: () => {}, onTaken: () => {} }, world.machine("m"), link);
  const request = createPipelineRequest({
    url: "http://127.0.0.1:8081/",
    headers: createHttpHeaders(),
    abortSignal: AbortSignal.abort(),
  });
  await expect(send(request)).rejects.toMatchObject({ name: "AbortError" });
});

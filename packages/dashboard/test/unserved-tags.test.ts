/** The overview and the head of an instance say that no process serves the tag of an activity. */
import { activity, orchestration } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { asking } from "./support/asking.ts";

const film = orchestration("film", async (ctx) => ctx.scheduleActivity("transcode", null, { tag: "gpu" }));

it("an activity with a tag that no process serves needs attention, once for each tag", async () => {
  await using env = await TestEnvironment.create({
    orchestrations: [film],
    activities: [activity("transcode", () => {})],
    reportWorker: true,
  });
  await env.client.start(film, { instanceId: "film-1" });
  await env.client.start(film, { instanceId: "film-2" });
  await env.advance({ seconds: 11 });
  const { provider, clock } = env;
  const { read } = asking({ provider, clock });

  const text = expect.stringMatching(/^film-1 is blocked: no process serves tag "gpu"/);
  const { attention } = (await read("overview")) as { attention: unknown[] };
  expect(attention).toEqual([{ state: "blocked", text, path: "instance", query: { id: "film-1" } }]);
  expect(await read("instance?id=film-2")).toMatchObject({
    state: "blocked",
    blocked: [{ reason: "unserved-tag", activity: "transcode#2" }],
  });
});

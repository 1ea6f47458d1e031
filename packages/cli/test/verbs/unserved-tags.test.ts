/** `duroxide doctor` and `show` say that no process serves the tag of an activity. */
import path from "node:path";
import {
  activity,
  Client,
  orchestration,
  Runtime,
  silentLogger,
  sleep,
  systemClock,
} from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { Desk } from "../support/desk.ts";

const film = orchestration("film", async (ctx) => ctx.scheduleActivity("transcode", null, { tag: "gpu" }));

/** The instance was started a minute ago. */
const clock = { ...systemClock, now: () => systemClock.now() - 60_000 };

it("doctor and show say that no process serves a tag", async () => {
  await using desk = await Desk.open("sqlite", { empty: true });
  await using past = await SqliteProvider.open(path.join(desk.folder, "store.db"), { clock });
  const handlers = {
    orchestrations: [film],
    activities: [activity("other", () => {})],
    logger: silentLogger,
  };
  const before = await Runtime.start({ provider: past, clock, ...handlers });
  const handle = await new Client(past, { clock }).start(film, { instanceId: "film-1" });
  const depth = async (): Promise<number | undefined> => (await past.admin.getQueueDepths()).workerQueue;
  while ((await depth()) !== 1) await sleep(systemClock, 10);
  await before.shutdown();
  const now = await Runtime.start({ provider: desk.provider, ...handlers });
  while ((await desk.client.admin.workers()).length === 0) await sleep(systemClock, 10);

  const { code, stdout } = await desk.cli(["doctor"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    'RED   film-1, activity transcode#2 is blocked (unserved-tag): no process serves tag "gpu"',
  );
  const shown = await desk.cli(["show", handle.instanceId]);
  expect(shown.stdout).toMatch(/^film-1 {2}film@1.0.0 {2}blocked /);
  expect(shown.stdout).toContain('unserved-tag: no process serves tag "gpu"');
  await now.shutdown();
});

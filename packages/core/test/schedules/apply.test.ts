import { describe, expect, it } from "vitest";
import { type Logger, orchestration, schedule, silentLogger } from "../../src/index.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const report = orchestration("report", async () => 0);
const START_MS = Date.parse("2026-11-28T00:30:00Z");

function environment(logger: Logger = silentLogger) {
  return TestEnvironment.create({ orchestrations: [report], startMs: START_MS, logger });
}

const hourly = schedule("s", { cron: "0 * * * *", orchestration: report });
const daily = schedule("s", { cron: "0 3 * * *", orchestration: report });

describe("apply", () => {
  it("that changes nothing writes nothing", async () => {
    await using env = await environment();
    const { schedules } = env.client;
    expect((await schedules.apply([hourly])).created).toEqual(["s"]);
    await env.advance({ hours: 2 });
    const before = [await schedules.get("s"), await env.client.admin.history("schedule:s")];
    const result = await schedules.apply([schedule("s", { orchestration: "report", cron: "0 * * * *" })]);
    expect(result).toEqual({ created: [], updated: [], deleted: [], outdated: [] });
    expect([await schedules.get("s"), await env.client.admin.history("schedule:s")]).toEqual(before);
  });

  it("keeps the pause and the last due time, and counts another cron from the change", async () => {
    await using env = await environment();
    const { schedules } = env.client;
    await schedules.apply([hourly], { by: "one" });
    await env.advance({ hours: 2 });
    await schedules.pause("s", { by: "ada" });
    await schedules.apply([daily], { by: "two", reason: "less" });
    const info = await schedules.get("s");
    expect(info).toMatchObject({ cron: "0 3 * * *", paused: { by: "ada" } });
    expect(info?.lastDueMs).toBe(Date.parse("2026-11-28T02:00:00Z"));
    expect(info?.changes.at(-1)).toMatchObject({ verb: "apply", by: "two", reason: "less" });
    await schedules.resume("s");
    expect(await schedules.next("s", 1)).toEqual([Date.parse("2026-11-28T03:00:00Z")]);
  });

  it("of a replaced definition changes nothing, and is told once", async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
    await using env = await environment(logger as Logger);
    const { schedules } = env.client;
    await schedules.apply([hourly]);
    await schedules.apply([daily]);
    expect((await schedules.apply([hourly])).outdated).toEqual(["s"]);
    await schedules.apply([hourly]);
    expect((await schedules.get("s"))?.cron).toBe("0 3 * * *");
    expect(warnings).toEqual([expect.stringContaining('schedule "s"')]);
  });

  it("with a revision lets the highest win", async () => {
    await using env = await environment();
    const { schedules } = env.client;
    const first = schedule("s", { ...hourly, revision: 1 } as never);
    const second = schedule("s", { ...daily, revision: 2 } as never);
    await schedules.apply([second]);
    expect((await schedules.apply([first])).outdated).toEqual(["s"]);
    expect((await schedules.apply([schedule("s", { ...hourly, revision: 3 } as never)])).updated).toEqual([
      "s",
    ]);
    expect((await schedules.get("s"))?.cron).toBe("0 * * * *");
  });

  it("with prune deletes what the same owner applied, and nothing else", async () => {
    await using env = await environment();
    const { schedules } = env.client;
    const named = (name: string, owner?: string) =>
      schedule(name, { cron: "0 * * * *", orchestration: report, ...(owner !== undefined && { owner }) });
    await schedules.apply([named("a"), named("b"), named("c", "hand")]);
    await schedules.apply([named("d")], { owner: "team" });
    expect((await schedules.apply([named("a")])).deleted).toEqual([]);
    expect((await schedules.apply([named("a")], { prune: true })).deleted).toEqual(["b"]);
    expect((await schedules.list()).map(({ name, owner }) => [name, owner])).toEqual([
      ["a", "default"],
      ["c", "hand"],
      ["d", "team"],
    ]);
    expect((await schedules.apply([], { prune: true, owner: "team" })).deleted).toEqual(["d"]);
  });

  it("after a deletion makes the schedule anew", async () => {
    await using env = await environment();
    const { schedules } = env.client;
    await schedules.apply([hourly]);
    await schedules.apply([daily]);
    await schedules.delete("s");
    await env.advance({ hours: 5 });
    expect((await schedules.apply([hourly])).created).toEqual(["s"]);
    expect(await schedules.next("s", 1)).toEqual([Date.parse("2026-11-28T06:00:00Z")]);
    expect((await schedules.get("s"))?.lastDueMs).toBeUndefined();
  });

  it.each([
    [{}],
    [{ cron: "0 * * * *", every: { hours: 1 } }],
    [{ cron: "61 * * * *" }],
    [{ cron: "0 * * * *", timezone: "Mars/Olympus" }],
    [{ every: { ms: 999 } }],
    [{ every: { hours: 1 }, timezone: "UTC" }],
    [{ at: ["tomorrow"] }],
    [{ cron: "0 * * * *", overlap: "both" }],
    [{ cron: "0 * * * *", catchUp: "some" }],
    [{ cron: "0 * * * *", catchUp: { within: "an hour" } }],
    [{ cron: "0 * * * *", pauseOnFailure: 0 }],
    [{ cron: "0 * * * *", revision: "2" }],
    [{ cron: "0 * * * *", crom: 1 }],
    [{ cron: "0 0 30 2 *" }],
  ])("refuses what is no definition: %j", (definition) => {
    expect(() => schedule("s", { orchestration: "report", ...definition } as never)).toThrow(
      expect.objectContaining({ code: "invalid-input" }),
    );
  });
});

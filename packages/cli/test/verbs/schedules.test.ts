/** Schedules on the command line. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Client } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { onEachStore } from "../support/desk.ts";

const SCHEDULES = [
  {
    name: "nightly",
    cron: "0 3 * * *",
    timezone: "Europe/Berlin",
    orchestration: "reader",
    overlap: "queue",
  },
  { name: "once", at: ["2099-01-01T00:00:00Z"], orchestration: "reader" },
];

/** Applies schedules that are due once, and soon: an instant that has passed when it is stored never runs. */
async function applySoon(schedules: Client["schedules"], names: readonly string[]): Promise<void> {
  for (let marginMs = 200; ; marginMs *= 4) {
    const definition = { at: [Date.now() + marginMs], orchestration: "reader" };
    await schedules.apply(names.map((name) => ({ name, ...definition })));
    const stored = await Promise.all(names.map((name) => schedules.get(name)));
    if (stored.every((each) => each?.nextDueMs !== undefined)) return;
    for (const name of names) await schedules.delete(name);
  }
}

describe("schedules", () => {
  onEachStore((desk) => {
    const cli = (...words: readonly string[]) => desk().cli(["schedules", ...words]);

    it("are applied, listed, paused, triggered and deleted, whether a runtime runs or not", async () => {
      const file = path.join(desk().folder, "schedules.json");
      writeFileSync(file, JSON.stringify(SCHEDULES));
      const applied = await cli("apply", file);
      // They are applied side by side.
      const lines = applied.stdout.split("\n").sort();
      expect([applied.code, lines]).toEqual([0, ["", "nightly is created", "once is created"]]);
      expect((await cli("apply", file)).stdout).toBe("Nothing has changed.\n");
      const listed = await cli("list");
      expect(listed.stdout).toMatch(/nightly +active +0 3 \* \* \* Europe\/Berlin .* reader +hand/);
      expect((await cli("list", "-o", "ids")).stdout).toBe("nightly\nonce\n");

      expect(
        (await cli("pause", "nightly", "--reason", "the disk is full", "--by", "ada", "--yes")).code,
      ).toBe(0);
      const shown = await cli("get", "nightly");
      expect(shown.stdout).toMatch(/^paused .*ada, the disk is full$/m);
      expect(shown.stdout).toMatch(/^changes .*apply/m);
      expect((await cli("next", "nightly")).stdout).toBe("No due time is to come.\n");
      expect((await cli("resume", "nightly", "--yes")).code).toBe(0);
      const next = JSON.parse((await cli("next", "nightly", "--limit", "2", "-o", "json")).stdout);
      expect(next).toHaveLength(2);

      const triggered = (await cli("trigger", "nightly", "-o", "ids")).stdout.trim();
      expect(triggered).toMatch(/^nightly@\d{4}-/);
      await using _runtime = await desk().runtime();
      await desk().until(async () => (await cli("runs", "nightly", "-o", "ids")).stdout.includes(triggered));
      expect((await desk().cli(["list", "--schedule", "nightly", "-o", "ids"])).stdout.trim()).toBe(
        triggered,
      );
      expect((await desk().cli(["list", "-o", "ids"])).stdout).not.toContain("schedule:");

      writeFileSync(file, JSON.stringify(SCHEDULES.slice(0, 1)));
      expect((await cli("apply", file, "--prune")).stdout).toBe("once is deleted\n");
      expect((await cli("delete", "nightly", "--yes")).code).toBe(0);
      expect((await cli("list")).stdout).toMatch(/^There are no schedules/);
    });

    it("are known to the doctor and to agents", async () => {
      const { schedules } = desk().client;
      await applySoon(schedules, ["late", "n".repeat(985)]);
      await using _runtime = await desk().runtime();
      await desk().until(async () => (await schedules.get("late"))?.lastDueMs !== undefined);
      await desk().until(async () => (await schedules.get("n".repeat(985)))?.lastFailure !== undefined);
      await schedules.pause("late", { by: "ada", reason: "moving" });
      const findings = await desk().json(["doctor"]);
      expect(findings).toContainEqual(
        expect.objectContaining({ level: "red", text: expect.stringContaining("cannot start its runs") }),
      );
      expect(findings).toContainEqual(
        expect.objectContaining({
          level: "warn",
          text: expect.stringMatching(/"late" is paused for .*: moving/),
        }),
      );
      const call = async (name: string, given: object): Promise<unknown> => {
        const params = { name, arguments: given };
        const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
        const { stdout } = await desk().cli(["mcp", "--allow-write"], { stdin: `${line}\n` });
        return JSON.parse(JSON.parse(stdout).result.content[0].text);
      };
      expect(await call("list_schedules", {})).toHaveLength(2);
      expect(await call("resume_schedule", { name: "late" })).toEqual({ resumed: "late" });
      await call("trigger_schedule", { name: "late" });
      expect(await call("show_schedule", { name: "late" })).toMatchObject({ name: "late", next: [] });
    });

    it("of an unknown name are not found", async () => {
      for (const words of [
        ["get"],
        ["next"],
        ["runs"],
        ["trigger"],
        ["pause", "--yes"],
        ["delete", "--yes"],
      ]) {
        const [verb = "", ...flags] = words;
        expect(await cli(verb, "nobody", ...flags), verb).toMatchObject({ code: 4 });
      }
    });
  });
});

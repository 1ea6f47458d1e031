/** `duroxide export` and `import`. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Desk, IDS, onEachStore } from "../support/desk.ts";

describe("export and import", () => {
  onEachStore((desk) => {
    it("move instances to a SQLite file, with their histories", async () => {
      const exported = await desk().cli(["export", IDS.completed, IDS.failed, IDS.waiting, IDS.evil]);
      expect(exported.code).toBe(0);
      const env = { DUROXIDE_STORE: "sqlite:desk.db" };
      const imported = await desk().cli(["import", "-", "--create"], { stdin: exported.stdout, env });
      expect(imported).toMatchObject({
        code: 0,
        stdout: "4 instances are stored (2 suspended)\nNext: duroxide list\n",
      });

      const shown = await desk().cli(["show", IDS.failed, "-o", "json"], { env });
      expect(JSON.parse(shown.stdout)).toMatchObject({
        state: "failed",
        failure: { category: "application" },
      });
      for (const id of [IDS.completed, IDS.waiting, IDS.evil]) {
        const events = await desk().cli(["history", id, "--raw"], { env });
        expect(events.stdout).toBe((await desk().cli(["history", id, "--raw"])).stdout);
      }
      expect(
        (await desk().cli(["list", "--status", "suspended", "-o", "ids"], { env })).stdout.split("\n"),
      ).toContain(IDS.waiting);
      const again = await desk().cli(["import", "-", "--yes", "-o", "json"], { stdin: exported.stdout, env });
      expect(JSON.parse(again.stdout)).toEqual({ stored: 0, existing: 4, suspended: 0 });
    });

    it("say what would be stored, and store nothing", async () => {
      const { stdout: lines } = await desk().cli(["export", IDS.completed, IDS.waiting]);
      const [first = ""] = lines.split("\n");
      const env = { DUROXIDE_STORE: "sqlite:plan.db" };
      await desk().cli(["import", "-", "--create"], { stdin: first, env });
      const planned = await desk().cli(["import", "-", "--dry-run"], { stdin: lines, env });
      expect(planned).toEqual({
        code: 0,
        stderr: "",
        stdout:
          "1 instance would be stored (1 suspended), 1 exist already. Nothing was changed (--dry-run).\n",
      });
      expect(await desk().cli(["list", "-o", "ids"], { env })).toMatchObject({
        stdout: `${IDS.completed}\n`,
      });
      expect(await desk().cli(["import", "x.jsonl", "--dry-run", "--create"], { env })).toMatchObject({
        code: 2,
      });
    });

    it.each(["order-\\ud800", "", "x".repeat(1_001)])("refuse an id that no store keeps", async (id) => {
      const exported = await desk().cli(["export", IDS.waiting]);
      const stdin = exported.stdout.replace(`"instanceId":"${IDS.waiting}"`, `"instanceId":"${id}"`);
      expect(stdin).not.toBe(exported.stdout);
      const env = { DUROXIDE_STORE: "sqlite:odd.db" };
      const refused = await desk().cli(["import", "-", "--create"], { stdin, env });
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toMatch(
        /Line 1 cannot be read: an instance id (has a lone surrogate|must be a string)/,
      );
      expect(await desk().cli(["list", "-o", "ids"], { env })).toMatchObject({ stdout: "" });
    });

    it("name a file that is missing, before a store is created", async () => {
      const store = ["--store", "sqlite:never.db"];
      for (const flags of [["--create"], ["--dry-run"], ["--yes"]]) {
        const refused = await desk().cli(["import", "nowhere.jsonl", ...store, ...flags]);
        expect(refused.code).toBe(2);
        expect(refused.stderr).toContain("There is no file nowhere.jsonl");
      }
      expect(existsSync(path.join(desk().folder, "never.db"))).toBe(false);
    });

    it("refuse a line that is none of an export, and an unknown instance", async () => {
      await writeFile(path.join(desk().folder, "wrong.jsonl"), "{}\n");
      const wrong = await desk().cli(["import", "wrong.jsonl", "--store", "sqlite:wrong.db", "--create"]);
      expect(wrong.code).toBe(2);
      expect(wrong.stderr).toContain("Line 1 is no line of duroxide export");
      expect(await desk().cli(["export", "unknown"])).toMatchObject({ code: 4 });
    });
  });
});

describe("stress", () => {
  onEachStore(
    (desk) => {
      it("runs a load on an empty store and checks it", async () => {
        const words = ["stress", "--scenario", "parallel", "--orchestrations", "3", "--tasks", "2"];
        const { code, stdout, stderr } = await desk().cli(words);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout).toContain("3");
        expect(await desk().cli(words)).toMatchObject({ code: 1 });
      });
    },
    { empty: true },
  );
});

it("an export by a filter says how many schedules and limits the store has", async () => {
  await using desk = await Desk.open("sqlite", { empty: true });
  const exported = () => desk.cli(["export", "--status", "completed"]);
  expect(await exported()).toEqual({ code: 0, stdout: "", stderr: "" });
  const file = path.join(desk.folder, "schedules.json");
  const schedules = ["one", "two"].map((name) => ({ name, every: { hours: 1 }, orchestration: "reader" }));
  await writeFile(file, JSON.stringify(schedules));
  await desk.cli(["schedules", "apply", file]);
  await desk.cli(["limits", "set", "partner", "--concurrency", "2"]);
  expect(await exported()).toEqual({
    code: 0,
    stdout: "",
    stderr: "Left out: 2 schedules and 1 limit; code applies them, or duroxide schedules and limits.\n",
  });
});

/** The charge of Azure for a command that reads, on stderr. */
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

const READS = ["list", "count --by status", `show ${IDS.waiting}`, "queues", "dead-letters list"];

describe("the cost of a command that reads", () => {
  onEachStore((desk) => {
    it.each(READS)("of %s is said on stderr where the store charges", async (line) => {
      const words = line.split(" ");
      const table = await desk().cli(words);
      const json = await desk().cli([...words, "-o", "json"]);
      if (desk().kind === "sqlite") {
        expect([table.stderr, json.stderr]).toEqual(["", ""]);
        return;
      }
      expect(table.stderr).toMatch(/^[1-9]\d*\.\d RU\n$/);
      expect(JSON.parse(json.stderr)).toEqual({ requestUnits: expect.any(Number) });
    });

    it("is the sum of all its requests", async () => {
      const few = await desk().cli(["list", "--limit", "1", "--status", "completed", "-o", "json"]);
      const all = await desk().cli(["list", "-o", "json"]);
      const cost = ({ stderr }: { readonly stderr: string }): number =>
        stderr === "" ? 0 : (JSON.parse(stderr) as { requestUnits: number }).requestUnits;
      // Each instance that runs is one more history.
      if (desk().kind === "cosmos") expect(cost(all)).toBeGreaterThan(cost(few));
    });

    it("is not said with ids, or by a command that changes something", async () => {
      expect(await desk().cli(["list", "-o", "ids"])).toMatchObject({ code: 0, stderr: "" });
      const raised = await desk().cli(["raise", IDS.waiting, "other", "1"]);
      expect(raised).toMatchObject({ code: 0, stderr: "" });
    });
  });
});

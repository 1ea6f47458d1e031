/** Starts with `--after` on the command line and for agents. */
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

describe("start --after", () => {
  onEachStore((desk) => {
    const json = async (...words: readonly string[]): Promise<unknown> =>
      JSON.parse((await desk().cli([...words, "-o", "json"])).stdout);

    it("is shown and found as scheduled, and keeps messages", async () => {
      await using _runtime = await desk().runtime();
      const start = ["start", "reader", "--id", "later", "--after"];
      expect(await desk().cli([...start, "2h"])).toMatchObject({ code: 0 });
      const begun = async (): Promise<boolean> => (await desk().client.admin.history("later")).length > 0;
      await desk().until(begun);
      expect(await json("show", "later")).toMatchObject({ state: "scheduled", status: "Scheduled" });
      const shown = (await desk().cli(["show", "later"])).stdout;
      expect(shown).toContain("scheduled");
      expect(shown).toMatch(/waits +start in 1h59m|waits +start in 2h/);
      expect((await desk().cli(["list", "--status", "scheduled", "-o", "ids"])).stdout).toBe("later\n");
      expect(
        (await desk().cli(["list", "--status", "running", "--prefix", "later", "-o", "ids"])).stdout,
      ).toBe("");
      expect(await json("count", "--by", "status", "--prefix", "later")).toEqual([
        { status: "scheduled", count: 1 },
      ]);
      expect(await desk().cli(["enqueue", "later", "lines", '"early"'])).toMatchObject({ code: 0 });

      const params = { name: "list_instances", arguments: { status: "Scheduled" } };
      const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const answer = (await desk().cli(["mcp"], { stdin: `${call}\n` })).stdout;
      expect(answer).toContain("later");

      expect(await desk().cli(["cancel", "later", "--reason", "enough", "--yes"])).toMatchObject({ code: 0 });
      const cancelled = async (): Promise<boolean> =>
        (await desk().client.handle("reader", "later").status()).status === "Cancelled";
      await desk().until(cancelled);
      expect(
        (await desk().cli(["list", "--status", "cancelled", "--prefix", "later", "-o", "ids"])).stdout,
      ).toBe("later\n");
      const { cancelled: other } = IDS;
      const all = (await desk().cli(["list", "--status", "cancelled", "-o", "ids"])).stdout;
      expect(all.split("\n")).toContain(other);
      expect(
        (await desk().cli(["list", "--status", "failed", "--prefix", "later", "-o", "ids"])).stdout,
      ).toBe("");
    });

    it("takes an instant, and shows a start that no process has taken", async () => {
      const instant = new Date(Date.now() + 7_200_000).toISOString();
      await desk().cli(["start", "reader", "--id", "date", "--after", instant]);
      expect(await desk().client.handle("reader", "date").status()).toMatchObject({
        status: "Scheduled",
        startsAtMs: Date.parse(instant),
      });
      expect((await desk().cli(["show", "date"])).stdout).toMatch(/start +in (1h59m|2h)/);
      expect(await desk().cli(["start", "reader", "--after", "soon"])).toMatchObject({ code: 2 });
    });
  });
});

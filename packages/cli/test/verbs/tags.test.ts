/** Tags of instances on the command line and for agents. */
import { tagTerms } from "@duroxide-ts/core/operate";
import { describe, expect, it } from "vitest";
import { onEachStore } from "../support/desk.ts";

describe("tags", () => {
  onEachStore((desk) => {
    const lines = async (...words: readonly string[]): Promise<readonly string[]> =>
      (await desk().cli(words)).stdout.trim().split("\n").filter(Boolean);

    it("are given to a start, and choose instances for every verb", async () => {
      await using _runtime = await desk().runtime();
      const start = async (id: string, ...tags: readonly string[]): Promise<void> => {
        const flags = tags.flatMap((tag) => ["--tag", tag]);
        expect(await desk().cli(["start", "reader", "--id", id, ...flags])).toMatchObject({ code: 0 });
        await desk().until(
          async () => (await desk().client.handle("reader", id).status()).status === "Running",
        );
      };
      await start("t-1", "tenant=acme", "priority=3", 'code="3"', "name=a b");
      await start("t-2", "tenant=acme", "priority=1");
      await start("t-3", "tenant=other");

      expect(await lines("list", "--tag", "tenant=acme", "-o", "ids")).toEqual(["t-2", "t-1"]);
      expect(await lines("list", "--tag", "tenant=acme", "--tag", "priority=3", "-o", "ids")).toEqual([
        "t-1",
      ]);
      expect(await lines("list", "--tag", "code=3", "-o", "ids")).toEqual([]);
      expect(await lines("list", "--tag", 'code="3"', "-o", "ids")).toEqual(["t-1"]);
      expect(await lines("count", "--tag", "tenant=acme")).toEqual(
        ["COUNT", "2"].map((text) => expect.stringContaining(text)),
      );
      const shown = await desk().cli(["show", "t-1"]);
      const line = /^tags +(.*)$/m.exec(shown.stdout)?.[1] ?? "";
      expect(tagTerms(line).toSorted()).toEqual(['code="3"', 'name="a b"', "priority=3", "tenant=acme"]);
      const [row] = await lines("list", "--tag", "tenant=other", "-o", "jsonl");
      expect(JSON.parse(row ?? "")).toMatchObject({ instanceId: "t-3", tags: { tenant: "other" } });

      const ended = await desk().cli(["terminate", "--tag", "tenant=other", "--reason", "gone", "--yes"]);
      expect(ended.code).toBe(0);
      expect(await lines("list", "--tag", "tenant=other", "--status", "cancelled", "-o", "ids")).toEqual([
        "t-3",
      ]);

      const exported = await desk().cli(["export", "t-1", "t-3"]);
      const env = { DUROXIDE_STORE: "sqlite:tags.db" };
      await desk().cli(["import", "-", "--create"], { stdin: exported.stdout, env });
      const kept = await desk().cli(["show", "t-1", "-o", "json"], { env });
      expect(JSON.parse(kept.stdout).tags).toEqual({ tenant: "acme", priority: 3, code: "3", name: "a b" });
      const found = await desk().cli(["list", "--tag", "priority>=2", "-o", "ids"], { env });
      expect(found.stdout.trim()).toBe("t-1");

      const params = { name: "count_instances", arguments: { tags: { tenant: "acme" } } };
      const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const answer = JSON.parse((await desk().cli(["mcp"], { stdin: `${call}\n` })).stdout);
      expect(JSON.parse(answer.result.content[0].text)).toEqual([{ key: [], count: 2 }]);
    });

    it.each([["tenant"], ["=acme"], ["a=1", "a=2"], ["a>true"]])("refuses %s %s", async (...tags) => {
      const flags = tags.filter((tag) => tag !== undefined).flatMap((tag) => ["--tag", tag]);
      const { code, stderr } = await desk().cli(["list", ...flags]);
      expect(code).toBe(2);
      expect(stderr).toContain("--tag");
    });
  });
});

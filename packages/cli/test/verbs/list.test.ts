/** `duroxide list`. */
import { beforeEach, describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";
import { obeyed } from "../support/terminal-safe.ts";

interface Listed {
  readonly instanceId: string;
  readonly state: string;
  readonly createdAt: string;
  readonly createdAtMs: number;
}

describe("list", () => {
  onEachStore((desk) => {
    beforeEach(() => {});

    const ids = async (...flags: string[]): Promise<string[]> => {
      const { stdout, code, stderr } = await desk().cli(["list", "-o", "ids", ...flags]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout
        .trimEnd()
        .split("\n")
        .filter((line) => line !== "")
        .sort();
    };

    it("shows states, waits and errors in a table, and a hint", async () => {
      const { stdout, code } = await desk().process(["list"]);
      expect(code).toBe(0);
      const row = (id: string): string => stdout.split("\n").find((line) => line.startsWith(`${id} `)) ?? "";
      expect(stdout).toMatch(/^ID +ORCHESTRATION +STATUS +STARTED UTC +FOR +EXEC +WAITS FOR \/ ERROR\n/);
      expect(row(IDS.waiting)).toMatch(
        /checkout@1\.0\.0 +waiting .* \{"step":"waiting"\}; event "approved", timer \[last day\] in \d+d/,
      );
      expect(row(IDS.failed)).toMatch(/failed .* application: card \\x1b\[31mdeclined/);
      expect(row(IDS.completed)).toMatch(/completed/);
      expect(row(IDS.cancelled)).toMatch(/cancelled .* sold out/);
      expect(row(IDS.retrying)).toMatch(
        /retrying .* activity charge \[deposit\] \(attempt 2 of 5 in [\dd]+h/,
      );
      expect(row(IDS.parent)).toMatch(/waiting .* child box-1-pack/);
      expect(stdout).toMatch(/8 of 8\. Next: duroxide show /);
    });

    it("sends nothing to a terminal that it would obey", async () => {
      for (const form of ["table", "json", "jsonl"]) {
        const { stdout } = await desk().cli(["list", "-o", form]);
        expect(obeyed(stdout)).toEqual([]);
      }
      expect((await desk().json<Listed[]>(["list", "--prefix", "evil"]))[0]?.instanceId).toBe(IDS.evil);
    });

    it("is JSON with ISO times beside ms", async () => {
      const listed = await desk().json<Listed[]>(["list", "--prefix", IDS.waiting]);
      expect(listed).toMatchObject([
        {
          instanceId: IDS.waiting,
          state: "waiting",
          customStatus: { step: "waiting" },
          waits: [{ kind: "event" }, { kind: "timer", label: "last day" }],
        },
      ]);
      const [first] = listed;
      expect(new Date(first?.createdAt ?? "").getTime()).toBe(first?.createdAtMs);
    });

    it("is one JSON value a line with jsonl", async () => {
      const { stdout } = await desk().cli(["list", "-o", "jsonl"]);
      const lines = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Listed);
      expect(lines).toHaveLength(8);
    });

    it("chooses by state", async () => {
      expect(await ids("--status", "failed")).toEqual([IDS.failed]);
      expect(await ids("--status", "cancelled")).toEqual([IDS.cancelled]);
      expect(await ids("--status", "failed,cancelled,completed")).toEqual([
        IDS.failed,
        IDS.completed,
        IDS.cancelled,
      ]);
      expect(await ids("--status", "retrying")).toEqual([IDS.retrying]);
      expect(await ids("--status", "waiting", "--prefix", "order")).toEqual([IDS.waiting]);
      expect(await ids("--status", "blocked")).toEqual([]);
    });

    it("chooses by name, parent, error and time", async () => {
      expect(await ids("--name", "patient", "--name", "parent")).toEqual([IDS.parent, IDS.retrying]);
      expect(await ids("--parent", IDS.parent)).toEqual([IDS.child]);
      expect(await ids("--error", "DECLINED")).toEqual([IDS.failed]);
      expect(await ids("--category", "poison")).toEqual([]);
      for (const status of ["failed", "cancelled", "failed,cancelled"])
        expect(await ids("--category", "poison", "--status", status)).toEqual([]);
      expect(await ids("--category", "application", "--status", "failed,completed")).toEqual([IDS.failed]);
      const counted = ["count", "--category", "poison", "--status", "failed", "-o", "json"];
      expect(JSON.parse((await desk().cli(counted)).stdout)).toEqual([{ count: 0 }]);
      expect(await ids("--waiting", "event:packed")).toEqual([IDS.child]);
      expect(await ids("--waiting", "activity:charge")).toEqual([IDS.retrying]);
      expect(await ids("--older-than", "1d")).toEqual([]);
      expect(await ids("--since", "1d", "--prefix", "box")).toEqual([IDS.parent, IDS.child]);
      const nowMs = Date.now();
      for (const [fromMs, found] of [
        [nowMs - 86_400_000, [IDS.parent, IDS.child]],
        [nowMs + 86_400_000, []],
      ] as const) {
        const from = new Date(fromMs).toISOString();
        for (const since of [from, from.replace("Z", "+00:00"), from.slice(0, 16).replace("T", " ")])
          expect([since, await ids("--since", since, "--prefix", "box")]).toEqual([since, found]);
        expect(await ids("--older-than", from)).toHaveLength(found.length === 0 ? 8 : 0);
      }
    });

    it("ends after the limit and says so", async () => {
      const { stdout } = await desk().cli(["list", "--limit", "2"]);
      expect(stdout.split("\n")).toHaveLength(5);
      expect(stdout).toContain("The first 2; --limit shows more.");
    });

    it("says where nothing matches", async () => {
      const { stdout, code } = await desk().cli(["list", "--name", "nothing"]);
      expect({ stdout, code }).toEqual({ stdout: "No instances match.\n", code: 0 });
    });

    it("refuses a state that there is none of", async () => {
      const { code, stderr } = await desk().cli(["list", "--status", "stuck"]);
      expect(code).toBe(2);
      expect(stderr).toContain("--status is one of running, scheduled, waiting");
    });

    it("prints anew until it is interrupted", async () => {
      const { code, stdout } = await desk().process(["list", "--watch", "1", "--limit", "1"], {
        onOutput: (output, interrupt) => {
          if (output.split("ORCHESTRATION").length > 2) interrupt();
        },
      });
      expect(code).toBe(130);
      expect(stdout.split("ORCHESTRATION").length).toBeGreaterThan(2);
    });
  });
});

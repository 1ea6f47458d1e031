/** `duroxide count`, `workers` and `queues`. */
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

describe("verbs that count", () => {
  onEachStore((desk) => {
    it("count instances by their properties", async () => {
      expect(await desk().cli(["count", "--name", "checkout"])).toMatchObject({
        code: 0,
        stdout: "COUNT\n    5\n",
      });
      expect(
        await desk().json(["count", "--by", "name,status", "--status", "failed,cancelled,running"]),
      ).toEqual([
        { name: "checkout", status: "cancelled", count: 1 },
        { name: "checkout", status: "failed", count: 1 },
        { name: "checkout", status: "running", count: 2 },
        { name: "pack", status: "running", count: 1 },
        { name: "parent", status: "running", count: 1 },
        { name: "patient", status: "running", count: 1 },
      ]);
      expect(await desk().cli(["count", "--status", "waiting"])).toMatchObject({ code: 2 });
      expect(await desk().cli(["count", "-o", "ids"])).toMatchObject({ code: 2 });
    });

    it("count the rows of the queues, and list them", async () => {
      const { stdout, code } = await desk().cli(["queues"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^QUEUE +READY +LOCKED +LATER +OLDEST READY\norchestrator .*\nworker .*\ntimers +0 +0 +\d+ +-\n$/,
      );
      const rows = await desk().json<{ instanceId: string }[]>([
        "queues",
        "--rows",
        "--instance",
        IDS.retrying,
      ]);
      expect(rows).toMatchObject([{ kind: "orchestrator", item: "TimerFired", instanceId: IDS.retrying }]);
    });

    it("list the processes that run instances", async () => {
      const slots = { busy: 1, all: 4 };
      const orchestrations = [
        { name: "checkout", version: "1.0.0" },
        { name: "checkout", version: "2.0.0" },
      ];
      const report = {
        host: "web-1",
        pid: 7,
        startedAtMs: 0,
        packageVersion: "0",
        orchestrations,
        activities: [],
      };
      await desk().provider.admin.reportWorker("w-1", {
        ...report,
        turns: slots,
        activitySlots: slots,
      });
      const { stdout, code } = await desk().cli(["workers"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^WORKER +HOST +SINCE UTC .*\nw-1 +web-1\/7 .* 1\/4 +1\/4 +- +checkout 1\.0\.0, 2\.0\.0\n$/,
      );
      expect(await desk().json(["workers"])).toMatchObject([{ workerId: "w-1", pid: 7 }]);
      await desk().provider.admin.reportWorker("w-1", undefined);
      expect((await desk().cli(["workers"])).stdout).toContain("No process has reported itself");
    });
  });
});

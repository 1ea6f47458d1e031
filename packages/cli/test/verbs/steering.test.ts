/** `duroxide suspend`, `resume`, `retry`, `rewind`, `restart`, `terminate`, `delete` and `prune`. */
import { beforeEach, describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

describe("verbs that steer", () => {
  onEachStore((desk) => {
    beforeEach(() => {});

    it("a suspended instance is asked to end when it is resumed, and show says how", async () => {
      await desk().cli(["suspend", IDS.child, "--reason", "the bank is down", "--yes"]);
      const cancelled = await desk().cli(["cancel", IDS.child, "--reason", "too late", "--yes"]);
      expect(cancelled.stdout).toContain("box-1-pack is asked to end when it is resumed; terminate");
      const { stdout } = await desk().cli(["show", IDS.child]);
      expect(stdout).toContain("Next: duroxide resume box-1-pack | duroxide history box-1-pack");
    });

    it("suspend and resume", async () => {
      const suspended = await desk().cli([
        "suspend",
        IDS.child,
        "--reason",
        "the bank is down",
        "--by",
        "ada",
        "--yes",
      ]);
      expect(suspended).toMatchObject({
        code: 0,
        stdout: "box-1-pack is suspended\nNext: duroxide resume box-1-pack\n",
      });
      const resumed = await desk().cli([
        "resume",
        IDS.child,
        "--reason",
        "it is back",
        "--by",
        "ada",
        "--yes",
      ]);
      expect(resumed.stdout).toContain("box-1-pack runs again");
      const [record] = resumed.stderr.split("\n").filter((line) => line.startsWith("{"));
      expect(JSON.parse(record ?? "")).toEqual({
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        event: "instance_resumed",
        instance_id: IDS.child,
        by: "ada",
        reason: "it is back",
      });
      expect((await desk().cli(["resume", IDS.child, "--yes"])).stdout).toContain(
        "box-1-pack was not suspended",
      );
      expect(await desk().cli(["suspend", IDS.child, "--yes"])).toMatchObject({ code: 2 });
    });

    it("retry tries a failed instance again, and refuses one that runs", async () => {
      const { code, stdout } = await desk().cli([
        "retry",
        IDS.failed,
        "--yes",
        "--by",
        "ada",
        "--reason",
        "the bank is back",
        "-o",
        "json",
      ]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual([
        {
          instanceId: IDS.failed,
          result: "changed",
          detail: expect.stringMatching(/^runs again in execution 2: charge#\d+$/),
        },
      ]);
      const shown = await desk().cli(["show", IDS.failed]);
      expect(shown.stdout).toMatch(/^by hand {2}retry of execution 1 by ada at .*: the bank is back$/m);
      const refused = await desk().cli(["retry", IDS.waiting, "--yes"]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`${IDS.waiting}: `);
    });

    it("rewind goes back to an event", async () => {
      const { code, stdout } = await desk().cli([
        "rewind",
        IDS.completed,
        "--to-event",
        "3",
        "--yes",
        "--reason",
        "x",
      ]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^order-3 runs again in execution 2/);
      expect(await desk().cli(["rewind", IDS.completed, "--yes"])).toMatchObject({ code: 2 });
    });

    it("rewind goes back to before the failure of all that match, after a question", async () => {
      const all = ["rewind", "--status", "running,waiting,retrying", "--before-failure"];
      const asked = await desk().cli(all);
      expect(asked.stdout + asked.stderr).toContain("would go back to before the failure");
      const refused = await desk().cli([...all, "--yes"]);
      expect(refused.code).toBe(5);
      expect(refused.stderr).toMatch(/it is Running, and has not failed/);
      const both = ["rewind", IDS.completed, "--before-failure", "--to-event", "3", "--yes"];
      expect(await desk().cli(both)).toMatchObject({ code: 2 });
      const many = ["rewind", "--status", "completed", "--to-event", "3", "--yes"];
      expect(await desk().cli(many)).toMatchObject({ code: 2 });
    });

    it("terminate ends an instance now, and restart begins it once more", async () => {
      expect(await desk().cli(["terminate", IDS.evil, "--reason", "gone", "--yes"])).toMatchObject({
        code: 0,
      });
      expect(await desk().client.admin.info(IDS.evil)).toMatchObject({ status: "Cancelled" });
      expect((await desk().cli(["restart", IDS.cancelled, "--yes"])).stdout).toContain(
        "order-4 begins execution 2",
      );
      const renamed = await desk().cli(["restart", IDS.evil, "--new-id", "order-9", "--yes"]);
      expect(renamed.stdout).toContain("begins once more as order-9");
      expect(renamed.stdout).toContain("Next: duroxide show order-9\n");
      expect(await desk().cli(["terminate", IDS.waiting, "--yes"])).toMatchObject({ code: 2 });
    });

    it("delete refuses what runs, and removes what it is forced to", async () => {
      const refused = await desk().cli(["delete", IDS.retrying, "--yes"]);
      expect(refused.code).toBe(1);
      const { code, stdout } = await desk().cli(["delete", IDS.retrying, "--force", "--yes"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^slow-1 is deleted \(1 instance, \d+ events\)/);
      expect(await desk().cli(["delete", "unknown", "--yes"])).toMatchObject({ code: 4 });
    });

    it("prune removes old executions", async () => {
      const { code, stdout } = await desk().cli([
        "prune",
        IDS.failed,
        IDS.waiting,
        "--keep-last",
        "1",
        "--yes",
      ]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/order-2 lost 1 execution /);
      expect(stdout).toContain("order-1 has no old executions");
      expect(await desk().cli(["prune", IDS.failed, "--yes"])).toMatchObject({ code: 2 });
    });
  });
});

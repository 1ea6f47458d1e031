/** `duroxide raise`, `enqueue` and `result`. */
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

describe("raise and enqueue", () => {
  onEachStore((desk) => {
    it("send what an instance waits for, and result prints what it ends with", async () => {
      const sent = await desk().cli(["raise", IDS.waiting, "approved", "true"]);
      expect(sent).toMatchObject({
        code: 0,
        stdout: 'event "approved" is sent to order-1\nNext: duroxide show order-1\n',
      });
      const runtime = await desk().runtime();
      const result = await desk().cli(["result", IDS.waiting]);
      expect(result).toMatchObject({ code: 0, stdout: '{"receipt":"r-10"}\n' });
      await runtime.shutdown();
      expect(JSON.parse((await desk().cli(["result", IDS.waiting, "-o", "json"])).stdout)).toEqual({
        instanceId: IDS.waiting,
        status: "Completed",
        output: { receipt: "r-10" },
      });
    });

    it("say where nothing waits for the message", async () => {
      const { code, stdout } = await desk().cli(["enqueue", IDS.child, "lines", "[1]"]);
      expect(code).toBe(0);
      expect(stdout).toContain(
        'a message for queue "lines" is sent to box-1-pack, which does not read it now',
      );
      expect(await desk().json(["raise", IDS.child, "other"])).toEqual({
        instanceId: IDS.child,
        event: "other",
        waitedFor: false,
      });
    });

    it("refuse an instance that has ended, one that does not exist, and what is no JSON", async () => {
      const ended = await desk().cli(["raise", IDS.completed, "approved"]);
      expect(ended.code).toBe(1);
      expect(ended.stderr).toContain("order-3 has ended (completed)");
      expect(await desk().cli(["enqueue", "unknown", "lines"])).toMatchObject({ code: 4 });
      expect(await desk().cli(["raise", IDS.child, "packed", "yes"])).toMatchObject({ code: 2 });
      expect(await desk().cli(["raise", IDS.child])).toMatchObject({ code: 2 });
    });
  });
});

describe("result", () => {
  onEachStore((desk) => {
    it("of a failed instance is its error, and exit code 1", async () => {
      const { code, stdout, stderr } = await desk().cli(["result", IDS.failed]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("card \\x1b[31mdeclined");
    });

    it("gives up after --timeout", async () => {
      const { code, stderr } = await desk().cli(["result", IDS.child, "--timeout", "100ms"]);
      expect(code).toBe(1);
      expect(stderr).toContain("has not ended");
    });

    it("ends with 4 for an unknown instance", async () => {
      expect(await desk().cli(["result", "unknown"])).toMatchObject({ code: 4 });
    });
  });
});

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
      expect(ended.stderr).toContain('instance "order-3" has ended');
      const unknown = await desk().cli(["enqueue", "unknown", "lines"]);
      expect(unknown).toMatchObject({
        code: 4,
        stderr: 'There is no instance "unknown"\nNext: duroxide list\n',
      });
      expect(await desk().cli(["raise", IDS.child, "packed", "yes"])).toMatchObject({ code: 2 });
      expect(await desk().cli(["raise", IDS.child])).toMatchObject({ code: 2 });
    });
  });
});

describe("redeliver", () => {
  onEachStore((desk) => {
    it("sends what was set aside again, corrected, once, and show says so", async () => {
      const runtime = await desk().runtime();
      const { client } = desk();
      const picky = await client.start("picky", { instanceId: "picky-1" });
      await desk().untilHas("picky-1", "waits", 1);
      await picky.raise("paid", { cents: "990" });
      await desk().untilHas("picky-1", "setAside", 1);
      const [{ id } = { id: 0 }] = (await client.admin.timeline("picky-1")).setAside;
      const shown = (await desk().cli(["show", "picky-1"])).stdout;
      expect(shown).toContain(`set aside ${id} event "paid" {"cents":"990"}: cents: expected a number`);
      expect(shown).toContain(`duroxide redeliver picky-1 ${id} JSON`);

      const words = ["redeliver", "picky-1", String(id)];
      expect(await desk().json([...words, '{"cents":"9"}', "--reason", "typo"])).toEqual({
        instanceId: "picky-1",
        eventId: id,
        redelivered: true,
      });
      await desk().untilHas("picky-1", "setAside", 2);
      expect((await desk().cli(["show", "picky-1"])).stdout).toContain(
        `; delivered again as ${(await client.admin.timeline("picky-1")).setAside[1]?.id}`,
      );
      const exported = await desk().cli(["export", "picky-1"]);
      const env = { DUROXIDE_STORE: "sqlite:moved.db" };
      await desk().cli(["import", "-", "--create"], { stdin: exported.stdout, env });
      const moved = JSON.parse(
        (await desk().cli(["show", "picky-1", "-o", "json"], { env })).stdout,
      ) as object;
      expect(moved).toMatchObject({ timeline: { setAside: [{ id }, { data: '{"cents":"9"}' }] } });
      expect(await desk().cli(words, { env })).toMatchObject({ code: 0 });
      expect(await desk().cli(words)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("was delivered again before; --again delivers it once more"),
      });
      expect((await desk().cli([...words, '{"cents":990}', "--again"])).code).toBe(0);
      expect(await picky.result()).toBe(990);
      await runtime.shutdown();
    });

    it("refuses an event that is no such message, and words that are no event", async () => {
      const refused = await desk().cli(["redeliver", IDS.completed, "1"]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("is no message that was set aside");
      expect(await desk().cli(["redeliver", "unknown", "1"])).toMatchObject({ code: 4 });
      for (const words of [[IDS.completed], [IDS.completed, "approved"], [IDS.completed, "1", "1", "1"]])
        expect(await desk().cli(["redeliver", ...words])).toMatchObject({ code: 2 });
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

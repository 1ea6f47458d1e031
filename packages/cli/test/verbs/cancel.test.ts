/** `duroxide cancel`, and what all verbs that change instances share. */
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

describe("cancel", () => {
  onEachStore((desk) => {
    it("says what it would do with --dry-run, and does nothing", async () => {
      const { code, stdout } = await desk().cli([
        "cancel",
        "--status",
        "waiting",
        "--name",
        "checkout",
        "--dry-run",
      ]);
      expect(code).toBe(0);
      expect(stdout).toBe(
        "2 instances would be asked to end (checkout 2). Nothing was changed (--dry-run).\n",
      );
    });

    it("refuses where no terminal can answer", async () => {
      const { code, stderr } = await desk().cli(["cancel", IDS.waiting]);
      expect(code).toBe(2);
      expect(stderr).toContain("order-1 would be asked to end.");
      expect(stderr).toContain("--yes");
    });

    it("asks one instance to end", async () => {
      const record = ["--reason", "twice", "--by", "ada"];
      const { code, stdout } = await desk().cli(["cancel", IDS.waiting, "--yes", ...record]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: "order-1 is asked to end\nNext: duroxide show order-1\n",
      });
      const runtime = await desk().runtime();
      await desk().until(async () => (await desk().client.admin.info(IDS.waiting)).status === "Cancelled");
      await runtime.shutdown();
      expect((await desk().client.admin.timeline(IDS.waiting)).cancelRequested?.reason).toBe(
        "twice (by ada)",
      );
    });

    it("leaves an instance that cleans up open, and list and show say so, since when and why", async () => {
      const id = "rental-1";
      const runtime = await desk().runtime();
      const handle = await desk().client.start("rental", { instanceId: id });
      const waitsFor = (name: string) => async (): Promise<boolean> =>
        (await desk().client.admin.timeline(id)).waits.some((wait) => wait.name === name);
      await desk().until(() => waitsFor("over")().catch(() => false));
      await handle.cancel("the shop closes");
      await desk().until(waitsFor("returned"));
      const { stdout } = await desk().cli(["show", id]);
      expect(stdout).toMatch(/^rental-1 {2}rental@1\.0\.0 {2}cancelling for /);
      expect(stdout).toMatch(/\ncancel +the shop closes \(asked for at .*, .* ago; it cleans up\)\n/);
      expect(stdout).toMatch(/\nwaits .*event "returned"/);
      expect(await desk().json(["show", id])).toMatchObject({
        state: "cancelling",
        timeline: { cancelRequested: { reason: "the shop closes", atMs: expect.any(Number) as number } },
      });
      const listed = await desk().cli(["list", "--status", "cancelling"]);
      expect(listed.stdout).toMatch(
        /\nrental-1 +rental@1\.0\.0 +cancelling .* being cancelled for [^:]+: the shop closes, .*event "returned"/,
      );
      expect((await desk().cli(["list", "--status", "waiting", "-o", "ids"])).stdout).not.toContain(id);
      await handle.raise("returned", true);
      await handle.result().catch(() => undefined);
      expect((await desk().cli(["show", id])).stdout).toMatch(/^rental-1 .* {2}cancelled after /);
      await runtime.shutdown();
    });

    it("leaves what has ended as it is", async () => {
      const { code, stdout } = await desk().cli(["cancel", IDS.completed, "--yes"]);
      expect(code).toBe(0);
      expect(stdout).toContain("order-3 has ended (completed)");
    });

    it("takes ids from stdin, goes on after an error, and ends with 5", async () => {
      const stdin = `${IDS.child}\n\nunknown\n`;
      const { code, stdout, stderr } = await desk().cli(["cancel", "-", "--yes"], { stdin });
      expect(code).toBe(5);
      expect(stdout).toContain("box-1-pack is asked to end");
      expect(stderr).toContain("unknown: ");
    });

    it("is JSON with the outcome of each", async () => {
      const { stdout, code } = await desk().cli(["cancel", IDS.completed, "unknown", "--yes", "-o", "json"]);
      expect(code).toBe(5);
      expect(JSON.parse(stdout)).toEqual(
        expect.arrayContaining([
          { instanceId: IDS.completed, result: "unchanged", detail: "has ended (completed)" },
          expect.objectContaining({ instanceId: "unknown", result: "failed" }),
        ]),
      );
    });

    it("ends with 4 for one unknown instance", async () => {
      expect(await desk().cli(["cancel", "unknown", "--yes"])).toMatchObject({ code: 4 });
    });

    it("takes ids or a filter", async () => {
      expect(await desk().cli(["cancel", "--yes"])).toMatchObject({ code: 2 });
      expect(await desk().cli(["cancel", "a", "--name", "b", "--yes"])).toMatchObject({ code: 2 });
    });
  });
});

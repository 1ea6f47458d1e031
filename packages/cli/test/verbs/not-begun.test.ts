/** Starts that no process has taken: there is no instance yet, and they are found all the same. */
import { describe, expect, it } from "vitest";
import { onEachStore } from "../support/desk.ts";

describe("a start that no process has taken", () => {
  onEachStore(
    (desk) => {
      it("is shown, and not as an instance that does not exist", async () => {
        await desk().cli(["start", "invoice", "--id", "i-1"]);
        const { code, stdout } = await desk().cli(["show", "i-1"]);
        expect(code).toBe(0);
        expect(stdout).toBe(
          "i-1  invoice  not begun (its start is in the queue)\n" +
            "waits    a process with its orchestration\n" +
            "Next: duroxide workers | duroxide cancel i-1\n",
        );
        expect(await desk().json(["show", "i-1"])).toMatchObject({
          instanceId: "i-1",
          orchestrationName: "invoice",
          state: "not-begun",
          cancelRequested: false,
        });
        expect(await desk().cli(["show", "i-2"])).toMatchObject({ code: 4 });
      });

      it("says why it waits where a process has looked at it", async ({ skip }) => {
        // docs/decisions/attempts-and-blocked-work.md
        if (desk().kind === "cosmos") skip("a container leaves work of unknown names alone for 10 s");
        await desk().cli(["start", "invoice", "--id", "why"]);
        const runtime = await desk().runtime();
        await desk().until(async () => "blocked" in (await desk().client.handle("invoice", "why").status()));
        const { stdout } = await desk().cli(["show", "why"]);
        expect(stdout).toMatch(
          /^waits {4}blocked for .* \(missing-orchestration\): orchestration "invoice"/m,
        );
        await runtime.shutdown();
      });

      it("is waited for by result", async () => {
        await desk().cli(["start", "invoice", "--id", "late"]);
        const { code, stderr } = await desk().cli(["result", "late", "--timeout", "50ms"]);
        expect({ code, stderr }).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^late has not ended/),
        });
        expect(await desk().cli(["result", "absent", "--timeout", "50ms"])).toMatchObject({ code: 4 });
      });

      it("takes messages before it begins", async () => {
        await desk().cli(["start", "reader", "--id", "early"]);
        const sent = await desk().cli(["enqueue", "early", "lines", "7"]);
        expect(sent.stdout).toMatch(
          /^a message for queue "lines" is sent to early, which does not read it now/,
        );
        const runtime = await desk().runtime();
        expect(await desk().cli(["result", "early"])).toMatchObject({ code: 0, stdout: "7\n" });
        await runtime.shutdown();
      });

      it("can be cancelled, and ends when a process takes it, without its code", async () => {
        await desk().cli(["start", "invoice", "--id", "gone"]);
        expect(
          await desk().cli(["cancel", "gone", "--reason", "a mistake", "--by", "ada", "--yes"]),
        ).toMatchObject({
          code: 0,
        });
        expect((await desk().cli(["show", "gone"])).stdout).toMatch(/^cancel {3}asked for$/m);
        const runtime = await desk().runtime();
        expect(await desk().cli(["result", "gone"])).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^canceled: a mistake \(by ada\)\n/),
        });
        await runtime.shutdown();
        expect(await desk().cli(["cancel", "absent", "--yes"])).toMatchObject({ code: 4 });
      });
    },
    { empty: true },
  );
});

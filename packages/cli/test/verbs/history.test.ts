/** `duroxide history`. */
import { decodeEvent } from "@duroxide-ts/core/stores";
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";
import { obeyed } from "../support/terminal-safe.ts";

describe("history", () => {
  onEachStore((desk) => {
    it("is a line for each event", async () => {
      const { stdout, code } = await desk().cli(["history", IDS.completed]);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^ +1 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}OrchestrationStarted {2}name=checkout version=1\.0\.0 input=30 run_id=[0-9a-f]{16}\n/,
      );
      expect(stdout).toMatch(/ActivityCompleted #\d+ {2}result=\{"receipt":"r-30"\} ran=/);
      expect(stdout).toMatch(/OrchestrationCompleted {2}output=/);
    });

    it("is a line for each step with --compact", async () => {
      const { stdout } = await desk().cli(["history", IDS.failed, "--compact"]);
      expect(stdout).toMatch(/Started checkout 1\.0\.0\n/);
      expect(stdout).toMatch(
        /Activity charge -> failed after [\d.]+ m?s: card .* attempt 1 of 2 {2}\(began \+[\d.]+ m?s, work-/,
      );
      expect(stdout).toMatch(/Activity charge -> failed after .* attempt 2 of 2/);
      expect(stdout).toMatch(/Failed: card/);
      expect(obeyed(stdout)).toEqual([]);
    });

    it("is what is stored with --raw", async () => {
      const { stdout } = await desk().cli(["history", IDS.failed, "--raw"]);
      const stored = await desk().client.admin.history(IDS.failed);
      expect(stdout.trimEnd().split("\n").map(decodeEvent)).toEqual(stored);
      expect(obeyed(stdout)).toEqual([]);
    });

    it("is JSON", async () => {
      const events = await desk().json<{ type: string }[]>(["history", IDS.completed]);
      expect(events[0]?.type).toBe("OrchestrationStarted");
    });

    it("goes on until the instance ends with --follow", async () => {
      const runtime = await desk().runtime();
      const handle = await desk().client.start("checkout", {
        instanceId: `followed-${desk().kind}`,
        input: 1,
      });
      // A start that no worker has taken has no history.
      await expect.poll(async () => (await handle.status()).status).toBe("Running");
      const { code, stdout } = await desk().cli(["history", handle.instanceId, "--follow"], {
        onOutput: (output) => {
          if (output.includes("ExternalSubscribed"))
            void handle.raise("approved", true, { messageId: "one" });
        },
      });
      await runtime.shutdown();
      expect(code).toBe(0);
      expect(stdout).toContain("OrchestrationCompleted");
    });

    it("ends at once with --follow where the instance has ended, whatever was recorded behind the end", async () => {
      for (const id of [IDS.completed, IDS.cancelled]) {
        expect(await desk().cli(["history", id, "--follow"])).toMatchObject({ code: 0 });
      }
    });

    it("ends with 4 for an unknown instance", async () => {
      expect(await desk().cli(["history", "unknown"])).toMatchObject({ code: 4, stdout: "" });
    });
  });
});

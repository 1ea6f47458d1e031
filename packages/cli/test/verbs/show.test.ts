/** `duroxide show`. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type InstanceTimeline, systemClock } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";
import { runHere } from "../support/run-here.ts";
import { obeyed } from "../support/terminal-safe.ts";

describe("show", () => {
  onEachStore((desk) => {
    it("shows what a waiting instance did and waits for, and what to do next", async () => {
      const { stdout, code } = await desk().cli(["show", IDS.waiting]);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^order-1 {2}checkout@1\.0\.0 {2}waiting, running for .* \(execution 1 of 1, \d+ events, updated .* UTC\)\n/,
      );
      expect(stdout).toMatch(/\ninput +10\n/);
      expect(stdout).toMatch(/\nwaits +event "approved", timer \[last day\] in \d+d/);
      expect(stdout).toMatch(/\nstatus +\{"step":"waiting"\}\n/);
      expect(stdout).toMatch(/\nkv +total = 10\n/);
      expect(stdout).toMatch(/timer 30d\S* \[last day\] +open/);
      expect(stdout).toMatch(/charge +completed .* worker work-\d+-/);
      expect(stdout).toContain("Next: duroxide raise order-1 approved JSON | duroxide history order-1");
    });

    it("shows since when an instance is suspended, and not how old it is", async () => {
      await desk().client.admin.suspend(IDS.waiting, { reason: "the bank is down" });
      const { suspended } = await desk().client.admin.info(IDS.waiting);
      const atMs = (suspended?.sinceMs ?? 0) + 10_000;
      const clock = { ...systemClock, now: () => atMs };
      const { stdout } = await runHere(["show", IDS.waiting], { ...desk(), clock });
      expect(stdout).toMatch(/ {2}suspended for 10\.?0? s, running for /);
      await desk().client.admin.resume(IDS.waiting);
    });

    it("shows why an instance failed, without what a terminal obeys", async () => {
      const { stdout } = await desk().cli(["show", IDS.failed]);
      expect(stdout).toContain("Next: duroxide retry order-2 | duroxide history order-2");
      expect(stdout).toMatch(/\nerror +ActivityFailedError: card|\nerror +card/);
      expect(stdout).toContain("\\x1b[31mdeclined\\u202e");
      expect(stdout).toContain("programs.ts:");
      expect(stdout).toMatch(/charge +failed x2/);
      expect(obeyed(stdout)).toEqual([]);
    });

    it("shows the children of an instance, and its tree", async () => {
      expect((await desk().cli(["show", IDS.parent])).stdout).toMatch(/\nchildren +box-1-pack \(running\)\n/);
      const { stdout } = await desk().cli(["show", IDS.parent, "--tree"]);
      expect(stdout).toMatch(/tree\n {2}box-1 {2}parent {2}running\n {4}box-1-pack {2}pack {2}running\n/);
      expect((await desk().cli(["show", IDS.child])).stdout).toMatch(/\nparent +box-1\n/);
    });

    it("is JSON with the timeline", async () => {
      const shown = await desk().json<{ timeline: InstanceTimeline; state: string }>(["show", IDS.retrying]);
      expect(shown).toMatchObject({
        instanceId: IDS.retrying,
        state: "retrying",
        timeline: { waits: [{ kind: "activity", name: "charge", attempt: 2, maxAttempts: 5 }] },
      });
    });

    it("shows payloads that no codec decodes as they are stored", async () => {
      const codec = `{
        name: "strict",
        encode: (value) => \`strict:\${JSON.stringify(value ?? null)}\`,
        decode: (text) => JSON.parse(/^strict:(.*)$/.exec(text)[1]),
      }`;
      await writeFile(path.join(desk().folder, "strict.config.mjs"), `export const codec = ${codec};\n`);
      const { stdout, code } = await desk().cli(["show", IDS.waiting, "--config", "strict.config.mjs"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/\nstatus +"\{\\"step\\":\\"waiting\\"\}"\n/);
      expect(stdout).toMatch(/\nkv +total = "10"\n/);
    });

    it.each([
      ["10n", '"10"'],
      [
        "{ total: 10n, by: new Map([[1, 2n]]), tags: new Set(['a']) }",
        '{"total":"10","by":[[1,"2"]],"tags":["a"]}',
      ],
      ["(() => { const all = []; all.push(all); return all; })()", '"10"'],
      ["{ toJSON() { throw new Error('unreadable'); } }", '"10"'],
      ["undefined", "undefined"],
    ])("shows what JSON cannot hold as near as it can: %s", async (value, shown) => {
      const codec = `{ name: "odd", encode: (value) => JSON.stringify(value ?? null), decode: (text) => text === "10" ? ${value} : JSON.parse(text) }`;
      const file = `odd-${Buffer.from(value).toString("hex").slice(0, 20)}.config.mjs`;
      await writeFile(path.join(desk().folder, file), `export const codec = ${codec};\n`);
      for (const form of ["table", "json", "jsonl"]) {
        const { stdout, stderr, code } = await desk().cli([
          "show",
          IDS.waiting,
          "--config",
          file,
          "-o",
          form,
        ]);
        expect(code, stderr).toBe(0);
        if (form === "table") expect(stdout).toContain(`total = ${shown}\n`);
        if (form === "jsonl" && shown !== "undefined")
          expect(stdout).toContain(`{"key":"total","value":${shown}}`);
      }
    });

    it("hints at nothing that a shell would obey", async () => {
      const { stdout } = await desk().cli(["show", IDS.evil]);
      expect(obeyed(stdout)).toEqual([]);
      expect(stdout).not.toContain("Next:");
    });

    it("says that there is no such instance, or execution", async () => {
      const unknown = await desk().cli(["show", "unknown"]);
      expect(unknown).toMatchObject({ code: 4, stdout: "" });
      expect(unknown.stderr).toContain("Next: duroxide list");
      expect(await desk().cli(["show", IDS.waiting, "-x", "7"])).toMatchObject({ code: 4 });
    });

    it("takes one id", async () => {
      expect(await desk().cli(["show"])).toMatchObject({ code: 2 });
      expect(await desk().cli(["show", "a", "b"])).toMatchObject({ code: 2 });
    });
  });
});

/** `duroxide doctor`, `top`, `backup`, `dead-letters`, `history export`, `replay` and `mcp`. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";
import { runHere } from "../support/run-here.ts";
import { obeyed } from "../support/terminal-safe.ts";

describe("verbs that operate", () => {
  onEachStore((desk) => {
    const programs = path.join(import.meta.dirname, "..", "support", "programs.ts");

    it("doctor says what is right, and what waits for a worker", async () => {
      const { code, stdout } = await desk().cli(["doctor"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^ok {4}the store answers within /);
      expect(stdout).toContain("ok    nothing is blocked\n");
      expect(stdout).toMatch(
        /warn {2}no worker has reported itself .* instances run {2}-> duroxide workers\n/,
      );
      expect(await desk().json(["doctor"])).toContainEqual({ level: "ok", text: "no dead letters" });
    });

    it("doctor ends with 1 where an orchestration has no worker", async () => {
      const report = {
        host: "h",
        pid: 1,
        startedAtMs: 0,
        packageVersion: "0",
        orchestrations: [],
        activities: [],
      };
      const slots = { busy: 0, all: 1 };
      await desk().provider.admin.reportWorker("w", {
        ...report,
        turns: slots,
        activitySlots: slots,
      });
      const { code, stdout } = await desk().cli(["doctor"]);
      await desk().provider.admin.reportWorker("w", undefined);
      expect(code).toBe(1);
      expect(stdout).toContain(
        "RED   1 instance of patient 1.0.0 runs, and no worker has it  -> duroxide list --name patient",
      );
    });

    it("top prints one view where stdout is no terminal", async () => {
      const { code, stdout } = await desk().cli(["top"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^ORCHESTRATION +RUNNING +COMPLETED .*\ncheckout +2 +1 +1 +1 /);
      expect(stdout).toMatch(/\nqueues \d+ rows.* {3}blocked 0 {3}workers 0\n$/);
    });

    it("top has the workers by their version", async () => {
      const { admin } = desk().provider;
      const slots = { busy: 0, all: 1 };
      const report = { host: "h", pid: 1, startedAtMs: 0, orchestrations: [], activities: [] };
      const versions = { "w-1": "1.0.0", "w-2": "1.1.0", "w-3": "1.0.0" };
      for (const [workerId, packageVersion] of Object.entries(versions))
        await admin.reportWorker(workerId, {
          ...report,
          packageVersion,
          turns: slots,
          activitySlots: slots,
        });
      const { stdout } = await desk().cli(["top"]);
      const view = await desk().json(["top"]);
      for (const workerId of Object.keys(versions)) await admin.reportWorker(workerId, undefined);
      expect(stdout).toMatch(/ {3}workers 3 \(2 of 1\.0\.0, 1 of 1\.1\.0\)\n$/);
      expect(view).toMatchObject({
        blockedWork: 0,
        workers: 3,
        workerVersions: [
          { version: "1.0.0", workers: 2 },
          { version: "1.1.0", workers: 1 },
        ],
      });
    });

    it("dead-letters are listed, shown, and missing by an unknown id", async () => {
      expect(await desk().cli(["dead-letters", "list"])).toMatchObject({
        code: 0,
        stdout: "No dead letters.\n",
      });
      expect(await desk().cli(["dead-letters", "show", "77"])).toMatchObject({ code: 4 });
      expect(await desk().cli(["dead-letters", "drop", "77", "--yes"])).toMatchObject({ code: 4 });
      expect(await desk().cli(["dead-letters", "requeue", "77"])).toMatchObject({ code: 2 });
      expect((await desk().cli(["dead-letters"])).stderr).toContain("dead-letters list");
    });

    it("history export writes what replay reads", async () => {
      const { folder } = desk();
      const exported = await desk().cli(["history", "export", IDS.completed, IDS.evil, "--out", "histories"]);
      expect(exported.code).toBe(0);
      expect(exported.stdout).toContain("Next: duroxide replay histories");
      const fits = await desk().cli(["replay", "histories", "--handlers", programs]);
      expect(fits).toMatchObject({ code: 0, stdout: "2 of 2 fit.\n" });

      const file = path.join(folder, "histories", "order-3.json");
      await writeFile(file, (await readFile(file, "utf8")).replaceAll('"charge"', '"audit"'));
      const differs = await desk().cli(["replay", "histories", "--handlers", programs]);
      expect(differs.code).toBe(1);
      expect(differs.stdout).toMatch(/^1 of 2 fit\.\nhistories.order-3\.json: [\s\S]*audit/);
      expect(await desk().cli(["replay", "nowhere", "--handlers", programs])).toMatchObject({ code: 2 });
      expect(await desk().cli(["replay", "histories"])).toMatchObject({ code: 2 });
    });

    it("replay says how far it is while it takes long", async () => {
      const { folder } = desk();
      await desk().cli(["history", "export", IDS.completed, "--out", "many"]);
      let nowMs = 0;
      const clock: Clock = { ...systemClock, now: () => (nowMs += 31_000) };
      const { stderr } = await runHere(["replay", "many", "--handlers", programs], { folder, clock });
      expect(stderr).toMatch(/^1 of 1 after /m);
    });

    it("replay takes orchestrations and codec from duroxide.config", async () => {
      const { folder } = desk();
      await writeFile(
        path.join(folder, "own.config.ts"),
        `export { ORCHESTRATIONS as orchestrations } from ${JSON.stringify(programs)};\n`,
      );
      await desk().cli(["history", "export", IDS.cancelled, "--out", "one"]);
      const { code } = await desk().cli(["replay", "one", "--config", "own.config.ts", "-o", "json"]);
      expect(code).toBe(0);
    });

    it("mcp answers what an agent asks, and changes nothing without --allow-write", async () => {
      const ask = (id: number, method: string, params: object = {}): string =>
        `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
      const stdin = [
        ask(1, "initialize", {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "t", version: "1" },
        }),
        `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
        ask(2, "tools/list"),
        ask(3, "tools/call", { name: "show_instance", arguments: { id: IDS.waiting } }),
        ask(4, "tools/call", { name: "show_instance", arguments: { id: "unknown" } }),
        ask(5, "tools/call", { name: "cancel", arguments: { id: IDS.waiting, reason: "x" } }),
        ask(6, "nonsense"),
        "no json\n",
      ].join("");
      const { code, stdout } = await desk().process(["mcp"], { stdin });
      expect(code).toBe(0);
      const [hello, list, shown, unknown, refused, method, parse, ...more] = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(more).toEqual([]);
      expect(hello.result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "duroxide" } });
      expect(list.result.tools.map(({ name }: { name: string }) => name)).toEqual([
        "list_instances",
        "count_instances",
        "show_instance",
        "get_history",
        "show_streams",
        "read_stream",
        "list_work",
        "search_docs",
        "list_schedules",
        "show_schedule",
        "list_workers",
        "list_limits",
        "doctor",
      ]);
      expect(JSON.parse(shown.result.content[0].text)).toMatchObject({
        timeline: { waits: [{ name: "approved" }, { kind: "timer" }] },
      });
      expect(unknown.result.isError).toBe(true);
      expect(refused.error.code).toBe(-32602);
      expect(method.error.code).toBe(-32601);
      expect(parse).toMatchObject({ id: null, error: { code: -32700 } });
    });

    it("mcp gives an agent no payload that the codec has decoded, and show prints no codec", async () => {
      const codec = `{
        name: "sealed",
        key: "never shown",
        encode: (value) => \`sealed:\${JSON.stringify(value ?? null)}\`,
        decode: (text) => (text.startsWith("sealed:") ? JSON.parse(text.slice(7)) : "in clear"),
      }`;
      await writeFile(path.join(desk().folder, "sealed.config.mjs"), `export const codec = ${codec};\n`);
      const call = { name: "show_instance", arguments: { id: IDS.waiting } };
      const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`;
      const asked = await desk().cli(["mcp", "--config", "sealed.config.mjs"], { stdin });
      const view = JSON.parse(JSON.parse(asked.stdout).result.content[0].text);
      expect(view).toMatchObject({
        customStatus: '{"step":"waiting"}',
        entries: [{ key: "total", value: "10" }],
        timeline: { input: "10" },
      });
      expect(asked.stdout).not.toContain("in clear");
      const shown = await desk().cli(["show", IDS.waiting, "-o", "json", "--config", "sealed.config.mjs"]);
      expect(JSON.parse(shown.stdout)).toMatchObject({ customStatus: "in clear" });
      expect(shown.stdout).not.toContain("never shown");
    });

    it("mcp --allow-write steers", async () => {
      const call = { name: "raise", arguments: { id: IDS.child, event: "packed" } };
      const stdin = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`;
      const { stdout } = await desk().cli(["mcp", "--allow-write"], { stdin });
      expect(JSON.parse(stdout).result).not.toHaveProperty("isError");
    });

    it("backup copies a SQLite store, and says that others have backups of their own", async () => {
      const { code, stdout, stderr } = await desk().cli(["backup", "copy.db"]);
      if (desk().kind === "cosmos") {
        expect(code).toBe(2);
        expect(stderr).toContain("A backup is for SQLite");
        return;
      }
      expect(code).toBe(0);
      expect(obeyed(stdout)).toEqual([]);
      const copy = await desk().cli(["show", IDS.completed, "--store", "sqlite:copy.db", "-o", "json"]);
      expect(JSON.parse(copy.stdout)).toMatchObject({ instanceId: IDS.completed, state: "completed" });
      expect(await desk().cli(["backup", "copy.db"])).toMatchObject({ code: 1 });

      // By this counter a store recognises the log of another file beside a copy.
      using db = new DatabaseSync(path.join(desk().folder, "copy.db"), { readOnly: true });
      const { schema_version: counter } = { ...db.prepare("PRAGMA schema_version").get() };
      expect(counter).toBeGreaterThan(1_000);
    });
  });
});

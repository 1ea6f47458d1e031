/** A process that has opened as many files as it may: the error says so, and the same call may succeed later. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/fixture.ts";

/** Opens the file with no free descriptor, with one, with two, and so on until it succeeds. */
const SCRIPT = `import { closeSync, openSync } from "node:fs";
import { SqliteProvider } from "@duroxide-ts/sqlite";
const open = () => SqliteProvider.open(process.argv[1]).then(async (provider) => {
  await provider.close();
  return "opened";
}, ({ code, retryable, message }) => ({ code, retryable, message }));
await open();
const taken = [];
try { for (;;) taken.push(openSync("/dev/null", "r")); } catch {}
const outcomes = [];
do outcomes.push(await open());
while (outcomes.at(-1) !== "opened" && taken.length > 0 && (closeSync(taken.pop()), true));
for (const each of taken) closeSync(each);
console.log(JSON.stringify(outcomes));`;

/** Takes every descriptor that is left while the file is open, and works on. */
const WORK_ON = `import { closeSync, openSync } from "node:fs";
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
const logger = silentLogger;
const work = activity("work", async () => "x".repeat(20_000));
const job = orchestration("job", (ctx) => ctx.scheduleActivity(work));
const provider = await SqliteProvider.open(process.argv[1], { logger });
const runtime = await Runtime.start({ provider, activities: [work], orchestrations: [job], logger });
const taken = [];
try { for (;;) taken.push(openSync("/dev/null", "r")); } catch {}
const client = new Client(provider);
const ids = Array.from({ length: 300 }, (_, n) => "i" + n);
const outcomes = await Promise.all(ids.map(async (instanceId) => (await client.start(job, { instanceId })).result()));
await provider.admin.deleteInstances({ instanceIds: ids.slice(1) });
const { bytesBefore, bytesAfter } = await provider.compact({});
await runtime.shutdown();
await provider.close();
for (const each of taken) closeSync(each);
console.log(JSON.stringify([outcomes.length, bytesAfter < bytesBefore]));`;

/** Runs a script in a process that may open 128 files. */
function run(script: string): unknown {
  using folder = temporaryFolder();
  const node = [process.execPath, "--conditions=@duroxide-ts/source", "--no-warnings", "--input-type=module"];
  const child = spawnSync(
    "sh",
    ["-c", 'ulimit -n 128; exec "$0" "$@"', ...node, "--eval", script, folder.file("orders.db")],
    { encoding: "utf8", cwd: import.meta.dirname },
  );
  expect(child.stderr).toBe("");
  return JSON.parse(child.stdout);
}

describe.skipIf(process.platform === "win32")(
  "a process that may open no more files",
  { timeout: 300_000 },
  () => {
    it("is refused an open as that, for now", () => {
      const outcomes = run(SCRIPT) as readonly unknown[];
      const refused = outcomes.slice(0, -1);
      expect(outcomes.at(-1)).toBe("opened");
      expect(refused.length).toBeGreaterThan(1);
      for (const each of refused) {
        expect(each).toMatchObject({
          code: "unavailable",
          retryable: true,
          message: expect.stringMatching(/EMFILE.*close files/),
        });
      }
    });

    it("works on with a store that is open", () => {
      expect(run(WORK_ON)).toEqual([300, true]);
    });
  },
);

/** A process that has opened as many files as it may: the error says so, and the same call may succeed later. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
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

it.skipIf(process.platform === "win32")(
  "opening with too few free descriptors is refused as that, for now",
  { timeout: 300_000 },
  () => {
    using folder = temporaryFolder();
    const node = [
      process.execPath,
      "--conditions=@duroxide-ts/source",
      "--no-warnings",
      "--input-type=module",
    ];
    const child = spawnSync(
      "sh",
      ["-c", 'ulimit -n 128; exec "$0" "$@"', ...node, "--eval", SCRIPT, folder.file("orders.db")],
      { encoding: "utf8", cwd: import.meta.dirname },
    );
    expect(child.stderr).toBe("");
    const outcomes: unknown[] = JSON.parse(child.stdout);
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
  },
);

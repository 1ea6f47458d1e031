/**
 * A runtime without a logger says on stderr, at once, what a developer has to know. Shown with a process of its own.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Children run the sources as they are, which older versions of Node cannot. */
const CAN_RUN_SOURCES = Number(process.versions.node.split(".")[0]) >= 24;

const PROGRAM = fileURLToPath(new URL("./programs/no-logger.ts", import.meta.url));

/** Long before a back-off of a minute, or ten attempts, could be the reason. */
const PATIENCE_MS = 900_000;

const EXPECTED: readonly (readonly [what: string, line: RegExp])[] = [
  [
    "an activity that is not registered",
    /WARN {2}duroxide: blocked: no handler for activity "not-registered" is registered here; pass it to Runtime.start in activities .*instance_id=forgotten-1/,
  ],
  [
    "an orchestration that is not registered",
    /WARN {2}duroxide: blocked: orchestration "nobody-has-it" is not registered here; pass it to Runtime.start in orchestrations .*instance_id=nobody-1/,
  ],
  [
    "a call that was not awaited when its orchestration ended",
    /the orchestration ended without awaiting 1 call: activity fails \(.*no-logger\.ts:\d+:\d+\) .*instance_id=careless-1/,
  ],
  [
    "an activity that failed, with the line that threw",
    /duroxide: activity failed .*instance_id=failing-1 .*\n {4}TypeError: Cannot read .*\n {6}at readName \(.*no-logger\.ts:\d+:\d+\)/,
  ],
  ["an orchestration that failed", /duroxide: orchestration failed .*instance_id=failing-1/],
  [
    "a message for an instance that has ended",
    /came for an instance that has ended, and is lost.*instance_id=careless-1 event_name=orders/,
  ],
  [
    "an event without an open wait",
    /an event came when no wait for it was open, and is lost; use a queue .*instance_id=late-1 event_name=approved/,
  ],
  [
    "a message for an instance that was never started",
    /Dropped 1 queue message\(s\) sent before the instance was started \("orders"\); start it first .*instance_id=never-started/,
  ],
];

describe.runIf(CAN_RUN_SOURCES)("without a logger, stderr names", () => {
  let written = "";
  const folder = mkdtempSync(path.join(tmpdir(), "no-logger-"));
  const runs = new AbortController();

  beforeAll(() => {
    const child = spawn(
      process.execPath,
      [
        "--conditions=@duroxide-ts/source",
        "--disable-warning=ExperimentalWarning",
        PROGRAM,
        path.join(folder, "test.db"),
      ],
      { stdio: ["ignore", "ignore", "pipe"], signal: runs.signal, killSignal: "SIGKILL" },
    );
    child.on("error", () => {});
    child.stderr.on("data", (text) => {
      written += String(text);
    });
  });

  afterAll(() => {
    runs.abort();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(EXPECTED)("%s", async (_what, line) => {
    await expect.poll(() => written, { timeout: PATIENCE_MS, interval: 20 }).toMatch(line);
  });

  it("each of them once, although the runtime goes on trying", async () => {
    await expect.poll(() => written, { timeout: PATIENCE_MS }).toContain("never-started");
    expect(written.match(/blocked: no handler/g)).toHaveLength(1);
  });
});

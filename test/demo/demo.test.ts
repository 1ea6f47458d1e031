/**
 * The demo, for real: processes, a kill and a store. It takes about seven seconds on a quiet machine, because what it
 * shows is what survives outside of any process. Its outcome does not depend on how long it takes. Its story is the
 * same on each store, so a run shows it on one by the seed.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sample } from "../support/effort.ts";
import { runProgram } from "../support/run-program.ts";

/** Only finds a demo that hangs. */
const PATIENCE_MS = 900_000;

describe.each(sample(["sqlite", "cosmos"]))("the demo on %s", (provider) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "demo-test-"));
  let output = "";
  let exitCode: unknown;

  beforeAll(async () => {
    // The demo's files go to a folder of the test's own, so that what stays behind can be seen.
    const env = { TMPDIR: folder, TEMP: folder, TMP: folder };
    const demo = ["examples/order-fulfilment/demo.ts", "--provider", provider];
    ({ exitCode, output } = await runProgram(demo, env));
  }, PATIENCE_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("ends well", () => {
    expect(exitCode, output).toBe(0);
  });

  it("finds nothing wrong", () => {
    expect(output).not.toContain("✗");
    expect(output.match(/^ {3}✓ .*/gm)?.map((line) => line.replaceAll(/\d+/g, "N"))).toEqual([
      "   ✓ N of N orders finished.",
      "   ✓ All N history events from before the kill are still there, unchanged.",
      "   ✓ Each of the N activities has exactly one recorded result.",
      "   ✓ No activity began again once its result was recorded.",
    ]);
    expect(output).toContain("✓ 12 of 12 orders finished.");
  });

  it("brings every order to the outcome that its content asks for", () => {
    const outcomes = [...output.matchAll(/^ {3}(order-\d+) {2}(\w.*?) {2,}\d+ +\d+ /gm)].map(
      ([, order, outcome]) => `${order} ${outcome}`,
    );
    expect(outcomes).toEqual([
      "order-1001 delivered",
      "order-1002 cancelled: nobody approved",
      "order-1003 delivered in 2 parcels",
      "order-1004 cancelled: card declined",
      "order-1005 delivered",
      "order-1006 delivered",
      "order-1007 cancelled: no carrier found",
      "order-1008 delivered in 2 parcels",
      "order-1009 delivered",
      "order-1010 delivered in 2 parcels",
      "order-1011 delivered",
      "order-1012 delivered in 2 parcels",
    ]);
  });

  it("undoes what the cancelled orders had done", () => {
    expect(output).toContain("order-1002  stock released");
    expect(output).toContain("order-1004  stock released");
    expect(output).toContain("order-1007  card refunded, stock released");
  });

  it("tells the same number of interrupted activities after the kill and at the end", () => {
    const [, atKill] = /^ {3}Interrupted: +(\d+) activit/m.exec(output) ?? [];
    const [, atEnd] = /^ {3}Interrupted by the kill and begun again: (\d+) activit/m.exec(output) ?? [];
    expect(atKill, output).toBeDefined();
    expect(atEnd, output).toBe(atKill);
  });

  it("kills its worker in the middle", () => {
    const counts = [...output.matchAll(/^ {3}order-\d+ {2}\w.*? {2,}(\d+) +(\d+) /gm)];
    const sum = (column: 1 | 2): number => counts.reduce((total, row) => total + Number(row[column]), 0);
    expect(sum(1)).toBeGreaterThanOrEqual(48);
    expect(sum(2)).toBeGreaterThan(0);
  });

  it("writes plain lines of at most 80 columns where there is no terminal", () => {
    expect(output).not.toContain("\u001b");
    expect(output.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("leaves no process and no file behind", () => {
    const pids = [...output.matchAll(/worker \(process (\d+)\)/g)].map(([, pid]) => Number(pid));
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

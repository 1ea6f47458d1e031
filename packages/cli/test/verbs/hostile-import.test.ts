/** A file that is no export of ours is refused before its line is stored, with what is wrong in it. */
import { describe, expect, it } from "vitest";
import { Desk } from "../support/desk.ts";

const event = (fields: object) => ({
  event_id: 1,
  source_event_id: null,
  instance_id: "i",
  execution_id: 1,
  timestamp_ms: 1,
  duroxide_version: "0.1.32",
  ...fields,
});
const start = (fields: object = {}) =>
  event({
    type: "OrchestrationStarted",
    name: "o",
    version: "1.0.0",
    input: "null",
    parent_instance: null,
    parent_id: null,
    ...fields,
  });
const completed = (fields: object = {}) => event({ type: "OrchestrationCompleted", output: "1", ...fields });
const continued = (fields: object = {}) =>
  event({ type: "OrchestrationContinuedAsNew", input: "1", ...fields });
const timer = (fields: object = {}) => event({ type: "TimerCreated", fire_at_ms: 1, ...fields });

function lineOf(executions: readonly (readonly unknown[])[], instanceId: unknown = "i"): string {
  const texts = executions.map((events) =>
    events.map((it) => (typeof it === "object" && it !== null ? JSON.stringify(it) : it)),
  );
  return JSON.stringify({ format: "duroxide-instance-1", instanceId, executions: texts });
}

const nested = "[".repeat(100_000);

const REFUSED: Readonly<Record<string, readonly [line: string, message: string]>> = {
  "an event of another instance": [
    lineOf([[start({ instance_id: "other" })]]),
    'event 1 of execution 1 belongs to instance "other"',
  ],
  "an event of another execution": [
    lineOf([[start(), timer({ event_id: 2, execution_id: 7 })]]),
    "event 2 belongs to execution 7, not to execution 1",
  ],
  "executions that are not in order": [
    lineOf([
      [start({ execution_id: 2 }), continued({ event_id: 2, execution_id: 2 })],
      [start({ execution_id: 2 })],
    ]),
    "execution 2 follows execution 2",
  ],
  "an event twice": [lineOf([[start(), timer()]]), "event 1 of execution 1 follows event 1"],
  "an id above 2^53": [
    lineOf([[start(), JSON.stringify(timer()).replace('"event_id":1', '"event_id":9223372036854775808')]]),
    "event 9223372036854775808 of execution 1 has an id above 2^53 - 1",
  ],
  "two starts": [lineOf([[start(), start({ event_id: 2 })]]), "event 2 of execution 1 is a second start"],
  "two ends": [
    lineOf([[start(), completed({ event_id: 2 }), completed({ event_id: 3 })]]),
    "event 3 of execution 1 is a second end",
  ],
  "an execution that goes on behind its end": [
    lineOf([[start(), completed({ event_id: 2 }), timer({ event_id: 3 })]]),
    "event 3 of execution 1 follows its end",
  ],
  "an execution that did not continue, and another behind it": [
    lineOf([[start(), completed({ event_id: 2 })], [start({ execution_id: 2 })]]),
    "execution 1 did not continue as new, and execution 2 follows it",
  ],
  "a version that is none": [
    lineOf([[start({ version: "not a version" }), completed({ event_id: 2 })]]),
    '"not a version", of execution 1, is no version',
  ],
  "an id that no start accepts": [
    lineOf([[start({ instance_id: "sub::1" })]], "sub::1"),
    "instance id 'sub::1' uses the reserved sub-orchestration marker",
  ],
  "a child's id that no start accepts": [
    lineOf([[start({ instance_id: "sub::1", parent_instance: "i", parent_id: 2 })]], "sub::1"),
    "starts with the reserved marker 'sub::'",
  ],
  "no execution": [lineOf([]), "it has no execution"],
  "an execution without a start": [lineOf([[timer()]]), "event 1 of execution 1 is no start"],
  "an execution without events": [lineOf([[]]), "execution 1 of the line has no event"],
  "executions that are no lists": [
    JSON.stringify({ format: "duroxide-instance-1", instanceId: "i", executions: [null] }),
    "no line of duroxide export",
  ],
  "events that are no texts": [lineOf([[1, 2]]), "no line of duroxide export"],
  "a deep line": [
    `{"format":"duroxide-instance-1","instanceId":"i","executions":${nested}`,
    "cannot be read",
  ],
  "a deep event": [lineOf([[nested]]), "cannot be read"],
  "no line of JSON": ["<html>", "is no line of duroxide export"],
  "an export that was cut": [lineOf([[start()]]).slice(0, -1), "cannot be read"],
};

describe("an import of a line with", () => {
  it.each(Object.keys(REFUSED))("%s is refused, and stores nothing", async (what) => {
    await using desk = await Desk.open("sqlite", { empty: true });
    const [line, message] = REFUSED[what] ?? ["", ""];
    const refused = await desk.cli(["import", "-", "--yes"], { stdin: `${line}\n` });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("Line 1 ");
    expect(refused.stderr).toContain(message);
    expect(refused.stderr.length).toBeLessThan(1_000);
    expect((await desk.cli(["list", "-o", "ids"])).stdout).toBe("");
  });

  it("an instance that makes itself a child of one that did not start it is refused", async () => {
    await using desk = await Desk.open("sqlite", { empty: true });
    const parent = lineOf([[start()]]);
    const kid = (id: string): string =>
      lineOf([[start({ instance_id: id, parent_instance: "i", parent_id: 2 })]], id);
    const refused = await desk.cli(["import", "-", "--yes"], { stdin: `${parent}\n${kid("kid")}\n` });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('kid says that "i" started it, and the history of "i" does not');
    expect((await desk.cli(["list", "-o", "ids"])).stdout).toBe("i\n");
  });

  it("the parents and children that an export has, in any order, is stored", async () => {
    await using from = await Desk.open("sqlite");
    for (const order of [
      ["box-1", "box-1-pack"],
      ["box-1-pack", "box-1"],
    ]) {
      const { stdout: stdin } = await from.cli(["export", ...order]);
      await using to = await Desk.open("sqlite", { empty: true });
      expect(await to.cli(["import", "-", "--yes"], { stdin })).toMatchObject({ code: 0, stderr: "" });
    }
  });
});

describe("an import of many small parts", () => {
  // Work that grew with the square of the parts would take hours.
  it("stores a history of 100,000 events", async () => {
    await using desk = await Desk.open("sqlite", { empty: true });
    const events = Array.from({ length: 100_000 }, (_, n) => timer({ event_id: n + 2 }));
    const stdin = `${lineOf([[start(), ...events]])}\n`;
    expect(await desk.cli(["import", "-", "--yes"], { stdin })).toMatchObject({ code: 0 });
    expect((await desk.client.admin.info("i")).instanceId).toBe("i");
  });

  it("refuses 100,000 executions of which the last is wrong before it stores the first", async () => {
    await using desk = await Desk.open("sqlite", { empty: true });
    const executions = Array.from({ length: 100_000 }, (_, n) => [
      start({ execution_id: n + 1 }),
      continued({ event_id: 2, execution_id: n + 1 }),
    ]);
    const stdin = `${lineOf([...executions, [timer({ execution_id: 100_001 })]])}\n`;
    expect(await desk.cli(["import", "-", "--yes"], { stdin })).toMatchObject({ code: 2 });
    expect((await desk.cli(["list", "-o", "ids"])).stdout).toBe("");
  });
});

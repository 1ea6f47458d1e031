/** exportHistory: what it writes, replay reads; what a hook replaces does not lie in the file. */
import { describe, expect, test } from "vitest";
import {
  activity,
  event,
  InvalidInputError,
  key,
  orchestration,
  queue,
  silentLogger,
} from "../../src/index.ts";
import {
  exportHistory,
  type Redact,
  ReplayDivergenceError,
  replaceTexts,
  replay,
  TestEnvironment,
} from "../../src/testing/index.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";

interface Person {
  readonly name: string;
  readonly age: number;
  readonly kind: "private" | "company";
}

const ada: Person = { name: "Ada Lovelace", age: 36, kind: "private" };

const greet = activity("greet", async (_ctx, { name }: Person) => `Dear ${name}`);
const send = activity("send", async (_ctx, letter: string): Promise<string> => {
  throw Object.assign(new Error(`no address of ${letter}`), { person: letter });
});
const answered = event<Person>("answered");
const letters = queue<string>("letters");
const last = key<string>("last");
const child = orchestration("child", async (_ctx, person: Person) => person.name);

const mail = orchestration("mail", async (ctx, person: Person) => {
  const letter = await ctx.scheduleActivity(greet, person);
  ctx.setCustomStatus(letter);
  ctx.kv.set(last, letter);
  const id = await ctx.newGuid();
  const reason = await ctx.scheduleActivity(send, letter).catch((error: Error) => error.message);
  const { kind } = await ctx.waitForEvent(answered);
  await ctx.dequeue(letters);
  if (kind === "company") await ctx.scheduleTimer(id.length);
  return [await ctx.scheduleSubOrchestration(child, person), reason];
});

const twice = orchestration("twice", async (ctx, round: number) => {
  await ctx.scheduleActivity(greet, ada);
  return round === 1 ? ctx.continueAsNew("twice", 2) : "done";
});

const orchestrations = [mail, child, twice];

async function environment(): Promise<TestEnvironment> {
  return TestEnvironment.create({ orchestrations, activities: [greet, send], logger: silentLogger });
}

/** The history of a letter to Ada. */
async function mailed(redact?: Redact): Promise<string> {
  await using env = await environment();
  const run = await env.start(mail, { input: ada, instanceId: "letter-1" });
  await run.raise(answered, ada);
  await run.enqueue(letters, "from Ada Lovelace");
  expect(await run.result()).toEqual(["Ada Lovelace", "no address of Dear Ada Lovelace"]);
  return exportHistory(env.client, "letter-1", redact && { redact });
}

describe("an exported history", () => {
  test("is the JSON of all executions, an event a line, and replay reads it", async () => {
    await using env = await environment();
    const run = await env.start(twice, { input: 1, instanceId: "t" });
    expect(await run.result()).toBe("done");
    const text = await exportHistory(env.client, "t");
    expect(JSON.parse(text)).toEqual([...(await run.history(1)), ...(await run.history(2))]);
    expect(text.split("\n")).toHaveLength(2 + JSON.parse(text).length + 1);
    const { executions } = await replay(text, { orchestrations });
    expect(executions.map(({ status }) => status)).toEqual(["ContinuedAsNew", "Completed"]);
    expect(await exportHistory(env.provider, "t")).toBe(text);
  });

  test("of an unknown instance is refused", async () => {
    await using env = await environment();
    await expect(exportHistory(env.client, "unknown")).rejects.toThrow(InvalidInputError);
  });
});

describe("redact", () => {
  test("gets every payload text, with the event, the field and the name", async () => {
    const places: string[] = [];
    const text = await mailed((payload, { event: type, field, name }) => {
      places.push(`${type} ${field} ${name}`);
      return payload;
    });
    expect([...new Set(places)]).toEqual([
      "OrchestrationStarted input mail",
      "ActivityScheduled input greet",
      "ActivityCompleted result greet",
      "CustomStatusUpdated status undefined",
      "KeyValueSet value last",
      "ActivityScheduled input send",
      "ActivityFailed message send",
      "ActivityFailed data send",
      "ExternalEvent data answered",
      "ExternalEventPersistent data letters",
      "SubOrchestrationScheduled input child",
      "SubOrchestrationCompleted result child",
      "OrchestrationCompleted output mail",
    ]);
    expect(JSON.parse(text).map(({ type }: HistoryEvent) => type)).toContain("ActivityFailed");
  });

  test("takes stacks out, which may hold texts of the failure", async () => {
    expect(await mailed()).toContain("export-history.test.ts");
    expect(await mailed((text) => text)).not.toContain("export-history.test.ts");
  });

  test("replaceTexts leaves no text of a person, and the history still fits", async () => {
    const text = await mailed(replaceTexts({ keep: ["private", "company"] }));
    expect(text).not.toMatch(/Ada|Lovelace|Dear/);
    expect(text).toContain('\\"age\\":36');
    const { executions } = await replay(text, { orchestrations });
    expect(executions).toMatchObject([{ status: "Completed" }]);
  });

  test("the same text gets the same replacement, also in the next history", async () => {
    const redact = replaceTexts();
    const first = await mailed(redact);
    expect(await mailed(redact)).toBe(first);
  });

  test("where code computes with a text or decides by it, the replacement does not fit", async () => {
    const reading = orchestration("mail", async (ctx, person: Person) => {
      await ctx.scheduleActivity(greet, { ...person, name: person.name.toUpperCase() });
    });
    await using env = await environment();
    await env.restart({ orchestrations: [reading] });
    const run = await env.start(reading, { input: ada, instanceId: "r" });
    await run.result();
    const text = await exportHistory(env.client, "r", { redact: replaceTexts() });
    await expect(replay(text, { orchestrations: [reading] })).rejects.toThrow(ReplayDivergenceError);
  });
});

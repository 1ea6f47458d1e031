/** The output of a test environment: the runtime's and the store's warnings, unless the test takes them. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import { activity, orchestration, queue, silentLogger } from "../../src/index.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "../../src/testing/index.ts";

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  vi.spyOn(console, "error").mockImplementation((text: string) => void printed.push(text));
});

afterEach(() => {
  vi.restoreAllMocks();
});

const charge = activity("charge", async () => {
  throw new RangeError("card declined");
});
const order = orchestration("order", async (ctx) => ctx.scheduleActivity(charge));
const forgets = orchestration("forgets", async (ctx) => ctx.scheduleActivity("unregistered"));
const letters = queue<string>("letters");

async function play(options: Partial<TestEnvironmentOptions>): Promise<void> {
  await using env = await TestEnvironment.create({
    orchestrations: [order, forgets],
    activities: [charge],
    ...options,
  });
  env.ignoreFailures();
  await env.start(order, { instanceId: "o" });
  await env.start(forgets, { instanceId: "f" });
  await env.client.handle(order, "too-early").enqueue(letters, "hello", { ifMissing: "keep" });
  await env.advance({ minutes: 1 });
}

describe("a test environment", () => {
  test("prints warnings of the runtime and of its store", async () => {
    await play({});
    expect(printed.join("\n")).toMatch(/activity failed .*instance_id=o .*\n {4}RangeError: card declined/);
    expect(printed.join("\n")).toMatch(/no handler for activity "unregistered" is registered here/);
    expect(printed.join("\n")).toMatch(/Dropped 1 queue message.*instance_id=too-early/);
  });

  test("prints nothing where the test gives a logger, which gets them all", async () => {
    const logger = new RecordingLogger();
    await play({ logger });
    await play({ logger: silentLogger });
    expect(printed).toEqual([]);
    const events = new Set(logger.entries.map(({ fields }) => fields["event"]));
    for (const event of ["activity_failed", "activity_unregistered", "store_warning"]) {
      expect(events).toContain(event);
    }
  });
});

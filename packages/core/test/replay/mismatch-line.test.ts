/** A mismatch names the line of the call that does not fit, however many calls the program has made before. */
import { expect, test } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import { activity, orchestration } from "../../src/index.ts";
import { MemoryProvider, TestEnvironment, type VirtualClock } from "../../src/testing/index.ts";

const step = activity("step", async (_ctx, _name: string) => undefined);

const before = orchestration("job", async (ctx) => {
  await ctx.scheduleActivity(step, "old");
  await ctx.scheduleTimer({ hours: 1 });
});

/** Lines are noted for the first calls of a program only; these use them up. */
const busy = async (): Promise<void> => undefined;

test("a program whose calls are no longer noted is noted again after a mismatch", async () => {
  const logger = new RecordingLogger();
  const after = orchestration("job", async (ctx, input: unknown) => {
    for (let n = 0; input === "many" && n < 300; n++) await ctx.scheduleActivity(step, "many");
    await ctx.scheduleActivity(step, "new");
    await ctx.scheduleTimer({ hours: 1 });
    await busy();
  });
  await using env = await TestEnvironment.create({
    orchestrations: [before],
    activities: [step],
    onNondeterminism: "block",
    logger,
    provider: (clock: VirtualClock) => new MemoryProvider({ clock }),
  });
  await env.start(before, { instanceId: "i" });
  await env.restart({ orchestrations: [after] });
  await env.start("job", { instanceId: "noted", input: "many" });
  await env.advance({ hours: 2 });
  const told = logger
    .of("orchestration_nondeterministic")
    .filter(({ fields }) => fields["instance_id"] === "i");
  expect(told.at(-1)?.message).toMatch(
    /asks for activity "step" with input "new" \(.*mismatch-line\.test\.ts:\d+:\d+\)/,
  );
});

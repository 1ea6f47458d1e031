/** The log says, with the line of the code, what the end of an execution loses in silence. */
import { describe, expect, it } from "vitest";
import { activity, orchestration } from "../../src/define/definitions.ts";
import type { LogFields, Logger } from "../../src/define/logger.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import { TestEnvironment } from "../../src/testing/index.ts";

const slow = activity("slow", async () => "slow");
const HERE = "packages/core/test/replay/warnings.test.ts:";

interface Warning {
  readonly fields: LogFields;
  readonly message: string;
}

async function warningsOf(
  body: (ctx: OrchestrationContext, input: number) => Promise<unknown>,
  { liveExecutions = 1_000 } = {},
): Promise<readonly Warning[]> {
  const warnings: Warning[] = [];
  const ignore = (): void => {};
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (fields, message) => warnings.push({ fields, message }),
  };
  const job = orchestration("job", body);
  await using env = await TestEnvironment.create({
    orchestrations: [job],
    activities: [slow],
    logger,
    liveExecutions,
  });
  const run = await env.start(job, { instanceId: "i", input: 1 });
  await run.runToEnd().catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  return warnings.filter(({ fields }) => fields["instance_id"] === "i");
}

describe("a call that was not awaited", () => {
  it.each([1_000, 0])("is named when the orchestration returns (%i in memory)", async (liveExecutions) => {
    const [warning, ...others] = await warningsOf(
      async (ctx) => {
        void ctx.scheduleActivity(slow);
        await ctx.scheduleActivity(slow);
        void ctx.scheduleTimer(60_000);
      },
      { liveExecutions },
    );
    expect(others).toEqual([]);
    expect(warning?.message).toMatch(/^the orchestration ended without awaiting 1 call: timer \(/);
    expect(warning?.message).toContain(HERE);
    expect(warning?.fields).toMatchObject({ event: "calls_never_awaited", execution_id: 1, calls: 1 });
  });

  it("is named where it never began", async () => {
    const [warning] = await warningsOf(async (ctx) => {
      void ctx.scheduleActivity(slow);
      void ctx.scheduleActivity(slow, undefined, { retry: { maxAttempts: 2 } });
    });
    expect(warning?.message).toMatch(
      /^the orchestration ended without awaiting 2 calls: activity slow \(.*\), activity slow \(.*\)$/,
    );
  });

  it("is named when the orchestration continues as new", async () => {
    const [warning] = await warningsOf(async (ctx, input) => {
      if (input === 2) return;
      void ctx.scheduleActivity(slow);
      return ctx.continueAsNew("job", 2);
    });
    expect(warning?.message).toContain("without awaiting 1 call: activity slow");
  });

  it("is not there where losers of a race are kept, or the code has asked for the result", async () => {
    const warnings = await warningsOf(async (ctx) => {
      await ctx.race([ctx.scheduleActivity(slow), ctx.scheduleTimer(60_000)], { keep: true });
      ctx.scheduleTimer(60_000).catch(() => {});
      void ctx.all([ctx.scheduleTimer(60_000)]);
    });
    expect(warnings).toEqual([]);
  });
});

describe("after continueAsNew", () => {
  it("an error is lost, and said to be", async () => {
    const [warning] = await warningsOf(async (ctx, input) => {
      if (input === 2) return;
      void ctx.continueAsNew("job", 2);
      throw new Error("lost");
    });
    expect(warning?.message).toContain("the orchestration threw after continueAsNew");
    expect(warning?.message).toContain("Error: lost");
    expect(warning?.message).toContain(HERE);
  });

  it.each([1_000, 0])(
    "another continueAsNew is ignored, with a warning (%i in memory)",
    async (liveExecutions) => {
      const inputs: number[] = [];
      const warnings = await warningsOf(
        async (ctx, input) => {
          if (input !== 1) return inputs.push(input);
          void ctx.continueAsNew("job", 2);
          return ctx.continueAsNew("job", 3);
        },
        { liveExecutions },
      );
      expect(inputs).toEqual([2]);
      expect(warnings.map(({ fields }) => fields["event"])).toEqual(["calls_after_continue_as_new"]);
      expect(warnings[0]?.message).toContain("1 call after continueAsNew, not carried out: continueAsNew (");
      expect(warnings[0]?.message).toContain(HERE);
    },
  );

  it("a call is not carried out, and said not to be", async () => {
    const [warning] = await warningsOf(async (ctx, input) => {
      if (input === 2) return;
      void ctx.continueAsNew("job", 2);
      ctx.kv.set("n", 1);
      await ctx.scheduleActivity(slow);
    });
    expect(warning?.message).toContain('2 calls after continueAsNew, not carried out: kv.set("n") (');
    expect(warning?.message).toContain(HERE);
  });
});

describe("a rejection that was not awaited", () => {
  it.each([1_000, 0])("is said once, when the execution has ended (%i in memory)", async (liveExecutions) => {
    const [warning, ...others] = await warningsOf(
      async (ctx) => {
        const fails = async (): Promise<void> => {
          await ctx.scheduleTimer(1);
          throw new Error("never awaited");
        };
        void fails();
        await ctx.scheduleTimer(1_000);
        await ctx.scheduleTimer(1_000);
      },
      { liveExecutions },
    );
    expect(others).toEqual([]);
    expect(warning?.fields).toMatchObject({ event: "rejection_never_awaited", execution_id: 1 });
    expect(warning?.message).toContain("rejected with Error: never awaited");
    expect(warning?.message).toContain(HERE);
  });

  it.each([1_000, 0])("is not said of one that is awaited later (%i in memory)", async (liveExecutions) => {
    const warnings = await warningsOf(
      async (ctx) => {
        const fails = (async () => {
          await ctx.scheduleTimer(1);
          throw new Error("awaited late");
        })();
        await ctx.scheduleTimer(1_000);
        await fails.catch(() => {});
      },
      { liveExecutions },
    );
    expect(warnings).toEqual([]);
  });
});

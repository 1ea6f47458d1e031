/** Versions of orchestrations: what decides, and that a running execution stays with its own. */
import { orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { begun, outputOf } from "../support/one-program.ts";
import { scenario } from "../support/scenario.ts";

const job = (version: string) =>
  orchestration("job", { version }, async (ctx, wait: boolean) => {
    if (wait) await ctx.waitForEvent("go");
    return ctx.orchestrationVersion;
  });
const [v1, v2, v10] = [job("1.0.0"), job("2.0.0"), job("10.0.0")];

describe("a start", () => {
  scenario("without a version gets the newest, by number and not by text", async (start) => {
    expect(await outputOf(start, v1, { orchestrations: [v2, v10, v1], input: false })).toBe("10.0.0");
  });

  scenario("with a version gets exactly that", async (start) => {
    const env = await start({ orchestrations: [v1, v2] });

    expect(await env.run(v1, { input: false, version: "1.0.0" })).toBe("1.0.0");
  });

  scenario("follows the policy of the runtime", async (start) => {
    const env = await start({
      orchestrations: [v1, v2],
      options: { versionPolicies: { job: { exact: "1.0.0" } } },
    });

    expect(await env.run(v1, { instanceId: "i", input: false })).toBe("1.0.0");
    const exact = await env.client.start(v1, { instanceId: "j", input: false, version: "2.0.0" });
    expect(await env.finish(exact)).toBe("2.0.0");
  });

  scenario("of a child or a detached orchestration follows the same rules", async (start) => {
    const parent = orchestration("parent", async (ctx) => {
      ctx.startOrchestration(v1, { instanceId: "detached", input: false });
      ctx.startOrchestration(v1, { instanceId: "detached-1", input: false, version: "1.0.0" });
      return ctx.all([
        ctx.scheduleSubOrchestration(v1, false),
        ctx.scheduleSubOrchestration(v2, false, { version: "1.0.0" }),
      ]);
    });
    const env = await start({ orchestrations: [parent, v1, v2] });

    expect(await env.run(parent, { instanceId: "p" })).toEqual(["2.0.0", "1.0.0"]);
    expect(await env.finish(env.client.handle(v1, "detached"))).toBe("2.0.0");
    expect(await env.finish(env.client.handle(v1, "detached-1"))).toBe("1.0.0");
  });
});

describe("a running execution", () => {
  scenario("stays with its version when a newer one is deployed", async (start) => {
    const { env } = await begun(start, v1, { file: true, input: true });
    await env.restart({ orchestrations: [v1, v2] });
    const handle = env.client.handle(v1, "i");
    await handle.raise("go");

    expect(await env.finish(handle)).toBe("1.0.0");
  });

  scenario("keeps the input of its own start, also after continue-as-new and a restart", async (start) => {
    const moves = orchestration("moves", async (ctx, input: string): Promise<unknown> => {
      if (input === "first") return ctx.continueAsNew("moves", "second");
      await ctx.waitForEvent("go");
      return input;
    });
    const { env } = await begun(start, moves, { file: true, input: "first" });
    await env.restart();
    const handle = env.client.handle(moves, "i");
    await handle.raise("go");

    expect(await env.finish(handle)).toBe("second");
  });
});

/** Sessions as programs use them: something is kept in a worker's memory from one activity to the next. */
import { activity, orchestration } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { onEveryStore } from "../support/scenario.ts";

interface Line {
  readonly session: string;
  readonly text: string;
}

const say = activity("say", async (_ctx, text: string) => text);

/** Says what the session has heard on this node; nothing of it is stored. */
function memoryOf(node: string) {
  const heard = new Map<string, string[]>();
  return say.mock(async (ctx, text) => {
    const session = ctx.sessionId ?? "none";
    const lines = [...(heard.get(session) ?? []), text];
    heard.set(session, lines);
    return `${node}: ${lines.join(" ")}`;
  });
}

describe("a conversation in a session", () => {
  onEveryStore("is remembered across executions, and is not mixed with another one", async (start) => {
    const talk = orchestration("talk", async (ctx, { session, text }: Line): Promise<unknown> => {
      const answer = await ctx.scheduleActivity(say, text, { session });
      return text.length < 3 ? ctx.continueAsNew("talk", { session, text: `${text}${text[0]}` }) : answer;
    });
    const env = await start({ orchestrations: [talk], activities: [memoryOf("node")] });
    const first = await env.client.start(talk, { instanceId: "1", input: { session: "s1", text: "a" } });
    const second = await env.client.start(talk, { instanceId: "2", input: { session: "s2", text: "b" } });

    expect(await env.finish(first)).toBe("node: a aa aaa");
    expect(await env.finish(second)).toBe("node: b bb bbb");
  });

  onEveryStore("goes on with a newer version of its orchestration", async (start) => {
    const v1 = orchestration("talk", async (ctx, session: string): Promise<unknown> => {
      await ctx.scheduleActivity(say, "from v1", { session });
      return ctx.continueAsNew("talk", session, { version: "2.0.0" });
    });
    const v2 = orchestration("talk", { version: "2.0.0" }, async (ctx, session: string) =>
      ctx.scheduleActivity(say, "and v2", { session }),
    );
    const env = await start({ orchestrations: [v1, v2], activities: [memoryOf("node")] });
    const handle = await env.client.start("talk", { instanceId: "i", input: "s", version: "1.0.0" });

    expect(await env.finish(handle)).toBe("node: from v1 and v2");
  });

  onEveryStore("stays on one of two nodes with different limits", async (start) => {
    const talk = orchestration("talk", async (ctx, session: string) => {
      const answers: string[] = [];
      for (const text of ["x", "y", "z"]) {
        answers.push(await ctx.scheduleActivity(say, text, { session }));
      }
      return answers;
    });
    const env = await start({
      orchestrations: [talk],
      activities: [memoryOf("one")],
      options: { workerNodeId: "one", workerConcurrency: 2 },
    });
    await env.startAnother({
      orchestrations: [talk],
      activities: [memoryOf("two")],
      workerNodeId: "two",
      workerConcurrency: 1,
    });
    const sessions = ["a", "b", "c"];
    const handles = await Promise.all(
      sessions.map((session) => env.client.start(talk, { instanceId: `i-${session}`, input: session })),
    );

    for (const handle of handles) {
      const answers = await env.finish(handle);
      const [node] = answers[0]?.split(":") ?? [];
      expect(answers).toEqual([`${node}: x`, `${node}: x y`, `${node}: x y z`]);
    }
  });
});

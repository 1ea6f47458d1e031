/** `duroxide stream`, and streams in exports and for agents. */
import { activity, orchestration, Runtime, silentLogger, stream } from "@duroxide-ts/core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Desk, onEachStore } from "../support/desk.ts";
import { HOSTILE } from "../support/programs.ts";
import { obeyed } from "../support/terminal-safe.ts";

const tokens = stream<unknown>("tokens");

/** Its first attempt writes two values and fails. */
function talking() {
  let runs = 0;
  const say = activity("say", async (ctx) => {
    runs++;
    ctx.progress({ done: runs, of: 2 });
    await ctx.stream(tokens).write(`first ${runs}`);
    await ctx.stream(tokens).write({ n: runs });
    if (runs === 1) throw new Error("again");
    await ctx.stream(tokens).write(HOSTILE);
  });
  const talks = orchestration("talks", async (ctx) => {
    ctx.stream(tokens).write("begin");
    await ctx.scheduleActivity(say, undefined, { retry: { maxAttempts: 2 } });
    ctx.stream(tokens).close();
    ctx.stream("other").write(1);
    ctx.stream("empty").close();
  });
  return { activities: [say], orchestrations: [talks], talks };
}

async function talk(desk: Desk, id: string): Promise<void> {
  const { talks, ...handlers } = talking();
  const runtime = await Runtime.start({ provider: desk.provider, ...handlers, logger: silentLogger });
  const handle = await desk.client.start(talks, { instanceId: id });
  await handle.result();
  await runtime.shutdown();
}

describe("stream", () => {
  onEachStore((desk) => {
    beforeAll(() => talk(desk(), "talk-1"));

    it("lists streams and progress without a name", async () => {
      const { stdout, code } = await desk().cli(["stream", "talk-1"]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^STREAM +FROM +NEXT +STATE\n/);
      expect(stdout).toMatch(/^tokens +0 +6 +closed$/m);
      expect(stdout).toMatch(/^other +0 +1 +open$/m);
      expect(stdout).toMatch(/^empty +0 +0 +closed$/m);
      expect(stdout).toMatch(/^say +2 .*\{"done":2,"of":2\}$/m);
    });

    it("is a line for each value, which a terminal does not obey", async () => {
      const { stdout, code } = await desk().cli(["stream", "talk-1", "tokens"]);
      expect(code).toBe(0);
      expect(stdout.split("\n").slice(0, 3)).toEqual(["begin", "first 2", '{"n":2}']);
      expect(obeyed(stdout)).toEqual([]);
    });

    it("says what is void on stderr, and has everything as JSON", async () => {
      const { stdout, stderr } = await desk().cli(["stream", "talk-1", "tokens", "--from", "2"]);
      expect(stderr).toMatch(/say begins again \(attempt 2\): its values from 1 on are void/);
      expect(stdout).toMatch(/^first 2\n/);
      const all = await desk().json<object[]>(["stream", "talk-1", "tokens", "--all"]);
      expect(all).toHaveLength(7);
      expect(all.slice(2, 4)).toEqual([
        { offset: 2, value: { n: 1 }, step: "say", attempt: 1 },
        { reset: { step: "say", attempt: 2, fromOffset: 1 } },
      ]);
    });

    it("goes on until the stream ends with --follow", async () => {
      const { talks, ...handlers } = talking();
      const runtime = await Runtime.start({ provider: desk().provider, ...handlers, logger: silentLogger });
      await desk().client.start(talks, { instanceId: "talk-2" });
      const { stdout, code } = await desk().cli(["stream", "talk-2", "tokens", "--follow"]);
      await runtime.shutdown();
      expect([code, stdout.split("\n").length]).toEqual([0, stdout.includes("first 1") ? 7 : 5]);
    });

    it("says that it knows no such instance, and how it is called", async () => {
      expect((await desk().cli(["stream", "nobody"])).code).not.toBe(0);
      expect((await desk().cli(["stream", "nobody", "tokens"])).code).not.toBe(0);
      expect((await desk().cli(["stream"])).code).toBe(2);
    });

    it("comes along with an export, offsets, steps and attempts included", async () => {
      const { stdout: lines } = await desk().cli(["export", "talk-1"]);
      const env = { DUROXIDE_STORE: "sqlite:streams.db" };
      const imported = await desk().cli(["import", "-", "--create"], { stdin: lines, env });
      expect(imported.code).toBe(0);
      const { stdout: listed } = await desk().cli(["stream", "talk-1"], { env });
      expect(listed).toMatch(/^tokens +0 +6 +closed$/m);
      expect(listed).toMatch(/^empty +0 +0 +closed$/m);
      for (const words of [
        ["stream", "talk-1", "tokens", "--all", "-o", "json"],
        ["stream", "talk-1", "tokens", "--from", "2", "-o", "json"],
        ["stream", "talk-1", "other", "-o", "json"],
      ]) {
        expect((await desk().cli(words, { env })).stdout).toBe((await desk().cli(words)).stdout);
      }
      const broken = lines.replace('"offset":1', '"offset":7');
      expect(broken).not.toBe(lines);
      const refused = await desk().cli(["import", "-", "--create"], {
        stdin: broken,
        env: { DUROXIDE_STORE: "sqlite:broken.db" },
      });
      expect(refused.code).toBe(2);
    });

    it("is read by agents", async () => {
      const ask = async (name: string, given: object): Promise<string> => {
        const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
        return (await desk().cli(["mcp"], { stdin: `${JSON.stringify(call)}\n` })).stdout;
      };
      expect(await ask("show_streams", { id: "talk-1" })).toMatch(/tokens.*say/s);
      expect(await ask("read_stream", { id: "talk-1", stream: "tokens", limit: 2 })).toMatch(/first 2/);
    });
  });
});

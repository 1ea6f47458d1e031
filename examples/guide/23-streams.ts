/** docs/guide/23-streams.md */
import { deepEqual, equal } from "node:assert/strict";
import {
  activity,
  type InstanceHandle,
  orchestration,
  type StreamDefinition,
  stream,
} from "@duroxide-ts/core";
import { Stage } from "./stage.ts";

/** Its first call fails in the middle. */
const model = {
  calls: 0,
  async *tokens(prompt: string): AsyncGenerator<string> {
    const isFirst = model.calls++ === 0;
    for (const word of ["Durable", prompt, "resume."]) {
      if (isFirst && word === "resume.") throw new Error("the connection was reset");
      yield word;
    }
  },
};

// #region write
const tokens = stream<string>("tokens");

const answer = orchestration("answer", async (ctx, prompt: string) => {
  ctx.stream(tokens).write("…");
  const text = await ctx.run(
    "generate",
    async (step) => {
      const words: string[] = [];
      for await (const word of model.tokens(prompt)) {
        await step.stream(tokens).write(word);
        words.push(word);
      }
      return words.join(" ");
    },
    { retry: { maxAttempts: 3, backoff: { kind: "none" } } },
  );
  ctx.stream(tokens).close();
  return text;
});
// #endregion

const copied: number[] = [];
const folder = { files: [0, 1, 2, 3], copy: async (file: number): Promise<unknown> => copied.push(file) };

// #region progress
const copyAll = activity("copyAll", async (step, files: number[]) => {
  const { next = 0 } = (step.lastProgress ?? {}) as { next?: number };
  for (let at = next; at < files.length; at++) {
    await folder.copy(files[at] ?? 0);
    step.progress({ done: at + 1, of: files.length, next: at + 1 });
  }
});
// #endregion
const copies = orchestration("copies", async (ctx) => ctx.scheduleActivity(copyAll, folder.files));

const stage = await Stage.open({ orchestrations: [answer, copies], activities: [copyAll] });
const { client } = stage;

// #region read
async function show(handle: InstanceHandle<string>, from = 0): Promise<string[]> {
  const shown = new Map<number, { value: string; step?: string }>();
  for await (const item of handle.stream(tokens, { from })) {
    if (item.reset !== undefined) {
      const { step, fromOffset } = item.reset;
      for (const [offset, each] of shown) {
        if (each.step === step && offset >= fromOffset) shown.delete(offset);
      }
    } else if (item.skipped === undefined) shown.set(item.offset, item);
  }
  return [...shown.values()].map(({ value }) => value);
}
// #endregion

const handle = await client.start(answer, { instanceId: "a-1", input: "agents" });
const seen = show(handle);
equal(await stage.finish(handle), "Durable agents resume.");
deepEqual(await seen, ["…", "Durable", "agents", "resume."]);
deepEqual(await show(handle), ["…", "Durable", "agents", "resume."]);
equal(model.calls, 2);

const unboundTokens: StreamDefinition<string, string> = tokens;
// #region bounds
const lines = stream<string>("lines", { maxItems: 1_000, maxBytes: 1_048_576 });
// #endregion
equal(lines.name, "lines");
equal(unboundTokens, tokens);

// #region serve
async function serve(request: Request, id: string): Promise<Response> {
  const lastEventId = request.headers.get("last-event-id");
  return client.handle(answer, id).stream(tokens).toResponse({ lastEventId });
}
// #endregion
const resumed = await serve(new Request("http://x/", { headers: { "last-event-id": "3" } }), "a-1");
equal((await resumed.text()).includes('id: 4\ndata: "agents"'), true);

const copying = await client.start(copies, { instanceId: "c-1" });
await stage.finish(copying);
// #region look
const [latest] = await copying.progress();
console.log(latest?.step, latest?.value.done, "of", latest?.value.of);
// #endregion
deepEqual([latest?.step, latest?.value.done, latest?.attempt], ["copyAll", 4, 1]);
deepEqual(copied, [0, 1, 2, 3]);
await stage.close();

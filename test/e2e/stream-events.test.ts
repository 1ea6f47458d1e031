/** A stream as server-sent events. */
import { CancelledError, orchestration, stream } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../support/environment.ts";

const parts = stream<unknown>("parts", { maxItems: 10 });
const says = orchestration("says", async (ctx, values: readonly unknown[]) => {
  for (const value of values) ctx.stream(parts).write(value);
  await ctx.waitForEvent("go");
});

async function saying(...values: readonly unknown[]): Promise<Environment> {
  const env = await startEnvironment({ orchestrations: [says] });
  await env.begin(says, { instanceId: "i", input: values });
  return env;
}

describe("toResponse", () => {
  it("has the offset as id and the value as JSON, and ends with the reading", async () => {
    await using env = await saying("a\nb", { n: 1 }, null);
    const handle = env.client.handle(says, "i");
    const response = handle.stream(parts).toResponse();
    await handle.raise("go");
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = response.text();
    await env.finish(handle);
    expect(await text).toBe('id: 0\ndata: "a\\nb"\n\nid: 1\ndata: {"n":1}\n\nid: 2\ndata: null\n\n');
  });

  it("goes on after the last event that the browser has got", async () => {
    await using env = await saying("a", "b", "c");
    const handle = env.client.handle(says, "i");
    await handle.raise("go");
    await env.finish(handle);
    for (const lastEventId of ["0", 0]) {
      expect(await handle.stream(parts).toResponse({ lastEventId }).text()).toMatch(/^id: 1\n/);
    }
    for (const lastEventId of [null, undefined, ""]) {
      expect(await handle.stream(parts, { from: 2 }).toResponse({ lastEventId }).text()).toMatch(/^id: 2\n/);
    }
    for (const lastEventId of ["x", "-1", "1.5", "1e3", "007", " 1"]) {
      expect(() => handle.stream(parts).toResponse({ lastEventId })).toThrow(/lastEventId/);
    }
  });

  it("has an event for values that are gone", async () => {
    await using env = await saying(...Array.from({ length: 12 }, (_, n) => n));
    const handle = env.client.handle(says, "i");
    await handle.raise("go");
    await env.finish(handle);
    expect(await handle.stream(parts).toResponse().text()).toMatch(/^event: skipped\ndata: 2\n\nid: 2\n/);
  });

  it("fails where the signal of the reading has aborted, before or later", async () => {
    await using env = await saying("a");
    const handle = env.client.handle(says, "i");
    const before = handle.stream(parts, { signal: AbortSignal.abort() }).toResponse();
    await expect(before.text()).rejects.toThrow(CancelledError);
    const later = new AbortController();
    const text = handle.stream(parts, { signal: later.signal }).toResponse().text();
    const refused = expect(text).rejects.toThrow(CancelledError);
    await env.settle();
    later.abort();
    await refused;
  });

  it("ends its reading when the client goes", async () => {
    await using env = await saying("a");
    const handle = env.client.handle(says, "i");
    const { body } = handle.stream(parts).toResponse();
    const reader = body?.getReader();
    await reader?.read();
    const pending = reader?.read();
    await env.settle();
    await reader?.cancel();
    expect((await pending)?.done).toBe(true);
  });
});

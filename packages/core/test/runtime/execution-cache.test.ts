/** The cache of executions: owners, and what is evicted (execution-cache.EX1 to execution-cache.EX3). */
import { expect, test, vi } from "vitest";
import { silentLogger } from "../../src/define/logger.ts";
import { jsonCodec } from "../../src/payload/json-codec.ts";
import { LiveExecution } from "../../src/replay/code/live-execution.ts";
import { Context } from "../../src/replay/context/context.ts";
import { HistoryIndex } from "../../src/replay/history/history-index.ts";
import type { ExecutionMemory } from "../../src/replay/turn-result.ts";
import { ExecutionCache } from "../../src/runtime/turns/execution-cache.ts";
import { VirtualClock } from "../../src/testing/index.ts";

function memory(input = ""): ExecutionMemory {
  const index = HistoryIndex.of([
    {
      event_id: 1,
      source_event_id: null,
      instance_id: "i",
      execution_id: 1,
      timestamp_ms: 0,
      duroxide_version: "0.1.32",
      type: "OrchestrationStarted",
      name: "o",
      version: "1.0.0",
      input,
      parent_instance: null,
      parent_id: null,
    },
  ]);
  const program = { name: "o", version: "1.0.0", schema: undefined, handler: async () => undefined };
  const guard = { mode: "off", warn: () => {} } as const;
  const surroundings = { clock: new VirtualClock(), codec: jsonCodec, logger: silentLogger, guard };
  const live = new LiveExecution({
    identity: { instanceId: "i", executionId: 1, program },
    surroundings,
    kvSnapshot: new Map(),
    begin: (code, recorder, scope) => new Context(code, recorder, scope),
  });
  return { index, live };
}

const held = (cache: ExecutionCache, ids: readonly string[]): string[] =>
  ids.filter((id) => cache.tagOf(id) !== undefined);

test("the least recently put execution goes when there are too many (execution-cache.EX3)", () => {
  const cache = new ExecutionCache({ maxCount: 2, maxBytes: 1e9 });
  for (const id of ["a", "b"]) cache.put(id, "tag", memory());
  const a = cache.take("a");
  if (a !== undefined) cache.put("a", "newer tag", a);
  cache.put("c", "tag", memory());
  expect(held(cache, ["a", "b", "c"])).toEqual(["a", "c"]);
});

test("large executions push out several small ones (execution-cache.EX3)", () => {
  const cache = new ExecutionCache({ maxCount: 100, maxBytes: 60_000 });
  for (const id of ["a", "b", "c"]) cache.put(id, "tag", memory());
  cache.put("large", "tag", memory("x".repeat(25_000)));
  expect(held(cache, ["a", "b", "c", "large"])).toEqual(["c", "large"]);
});

test("an execution that is larger than the whole cache is not kept", () => {
  const cache = new ExecutionCache({ maxCount: 100, maxBytes: 10_000 });
  cache.put("large", "tag", memory("x".repeat(100_000)));
  expect(held(cache, ["large"])).toEqual([]);
});

test("a limit of zero keeps nothing", () => {
  const cache = new ExecutionCache({ maxCount: 0, maxBytes: 1e9 });
  cache.put("a", "tag", memory());
  expect(held(cache, ["a"])).toEqual([]);
});

test("an execution is taken once (execution-cache.EX1)", () => {
  const cache = new ExecutionCache({ maxCount: 1, maxBytes: 1e9 });
  const first = memory();
  cache.put("a", "tag", first);
  expect(cache.take("a")).toBe(first);
  expect(cache.take("a")).toBeUndefined();
});

test.each<readonly [string, (cache: ExecutionCache) => void]>([
  ["evicts", (cache) => cache.put("b", "tag", memory())],
  ["replaces", (cache) => cache.put("a", "newer tag", memory())],
  ["forgets", (cache) => cache.forget("a")],
  ["clears", (cache) => cache.clear()],
])("an execution that the cache %s records nothing any more (execution-cache.EX2)", (_how, lose) => {
  const cache = new ExecutionCache({ maxCount: 1, maxBytes: 1e9 });
  const lost = memory();
  const disposed = vi.spyOn(lost.live, "dispose");
  cache.put("a", "tag", lost);
  expect(disposed).not.toHaveBeenCalled();
  lose(cache);
  expect(disposed).toHaveBeenCalledOnce();
});

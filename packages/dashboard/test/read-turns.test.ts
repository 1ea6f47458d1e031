/** Reads of histories take turns, so that a role that may only read does not hold up the process. */
import { silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { type DashboardHandler, dashboard } from "../src/index.ts";

interface Counted {
  readonly handler: DashboardHandler;
  /** Reads of histories that are under way, and the most that were. */
  readonly reads: { open: number; most: number };
}

function counted(read: () => Promise<unknown>): Counted {
  const provider = new MemoryProvider();
  const reads = { open: 0, most: 0 };
  const slow = new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "readHistory") return typeof value === "function" ? value.bind(target) : value;
      return async () => {
        reads.most = Math.max(reads.most, ++reads.open);
        await read();
        reads.open--;
        return [];
      };
    },
  });
  const authorize = () => ({ user: "ada", role: "viewer" }) as const;
  return { handler: dashboard({ provider: slow, authorize, logger: silentLogger }), reads };
}

const ask = (handler: DashboardHandler, signal?: AbortSignal): Promise<Response> =>
  handler(new Request("http://ops.example/api/history?id=a", signal === undefined ? {} : { signal }));

it("other work of the process runs between any two reads", async () => {
  const { handler } = counted(async () => undefined);
  let turns = 0;
  let isOver = false;
  const other = (): void => {
    turns++;
    if (!isOver) setImmediate(other);
  };
  other();
  await Promise.all(Array.from({ length: 60 }, () => ask(handler)));
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(60);
});

it("at most four are under way, more than two hundred do not wait, and those that wait are answered", async () => {
  const release: (() => void)[] = [];
  const { handler, reads } = counted(() => new Promise<void>((resolve) => release.push(resolve)));
  const answers = Array.from({ length: 260 }, () => ask(handler));
  let isOver = false;
  const all = Promise.all(answers).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    // A read begins in a turn of its own.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const end of release.splice(0)) end();
  }
  const statuses = (await all).map(({ status }) => status);
  expect(reads.most).toBe(4);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(200);
});

it("a read whose request is over is not begun", async () => {
  let begun = 0;
  const { handler } = counted(async () => begun++);
  const gone = new AbortController();
  const answer = ask(handler, gone.signal);
  gone.abort();
  await answer;
  expect(begun).toBe(0);
});

it("what is read without a history does not wait for those that do", async () => {
  const { handler } = counted(() => new Promise(() => {}));
  for (let n = 0; n < 10; n++) void ask(handler);
  expect((await handler(new Request("http://ops.example/api/session"))).status).toBe(200);
});

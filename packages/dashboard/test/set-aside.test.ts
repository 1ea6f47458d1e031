/** Messages that did not fit their wait: the state of the instance lists them, and an operator delivers one again. */
import { Client, event, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import type { StateView } from "../src/page/shapes/instance.ts";
import { asking } from "./support/asking.ts";

const paid = event("paid", { schema: z.object({ cents: z.number() }) });
const invoice = orchestration("invoice", async (ctx) => (await ctx.waitForEvent(paid)).cents);

let provider: MemoryProvider;
let client: Client;
let runtime: Runtime;
beforeEach(async () => {
  provider = new MemoryProvider();
  client = new Client(provider, { logger: silentLogger });
  runtime = await Runtime.start({ provider, orchestrations: [invoice], logger: silentLogger });
  const handle = await client.start(invoice, { instanceId: "a" });
  await vi.waitFor(async () => expect((await client.admin.timeline("a")).waits).toHaveLength(1));
  await handle.raise("paid", { cents: "990" });
  await vi.waitFor(async () => expect((await client.admin.timeline("a")).setAside).toHaveLength(1));
});
afterEach(() => runtime.shutdown());

async function state(redact?: (path: string, value: unknown) => unknown): Promise<StateView> {
  const response = await asking({ provider, ...(redact && { redact }) }).get("state?id=a");
  expect(response.status).toBe(200);
  return (await response.json()) as StateView;
}

const act = (body: object): Promise<Response> => asking({ provider }).post("redeliver", body);

it("It is listed with its payload and the reason, as far as redact shows them", async () => {
  const misfit = "cents: Invalid input: expected number, received string";
  const { setAside, setAsideCount, executionId } = await state();
  expect(setAsideCount).toBe(1);
  expect(executionId).toBe(1);
  expect(setAside).toMatchObject([{ kind: "event", name: "paid", misfit }]);
  expect(JSON.parse(setAside[0]?.payload.text ?? "")).toEqual({ cents: "990" });
  const [hidden] = (await state((path, value) => (/^(event|error)\./.test(path) ? "•••" : value))).setAside;
  expect(hidden).toMatchObject({ misfit: "•••", payload: { text: expect.not.stringContaining("990") } });
});

it("It is delivered again, corrected, with the name of the user", async () => {
  const [{ id: event } = { id: 0 }] = (await state()).setAside;
  const answer = await act({ id: "a", event, execution: 1, data: { cents: 990 }, reason: "typo" });
  expect([answer.status, await answer.json()]).toEqual([200, { redelivered: true }]);
  expect(await client.handle(invoice, "a").result()).toBe(990);
  expect((await state()).setAside).toMatchObject([{ replacedBy: event + 1 }]);
});

it("What is no such message is refused", async () => {
  expect((await act({ id: "a", event: 1, execution: 1, reason: "" })).status).toBe(409);
  expect((await act({ id: "a", event: "x", execution: 1, reason: "" })).status).toBe(400);
  expect((await act({ id: "b", event: 1, execution: 1, reason: "" })).status).toBe(404);
});

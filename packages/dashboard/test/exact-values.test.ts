/** JSON and texts of a request are stored as they were written, and shown as they are stored. */
import { Client, orchestration, Runtime, rawCodec, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asking } from "./support/asking.ts";

const NUMBERS = ["3544790567247868102", "-0", "1e400", "18446744073709551615"];

/** It takes the text as it is stored, as a program of Rust takes its numbers. */
const keeper = orchestration("keeper", async (ctx, input: string) => {
  ctx.kv.set("sent", await ctx.dequeue<string>("values"));
  return input;
});

const provider = new MemoryProvider();
const parts = { codec: rawCodec, logger: silentLogger };
let runtime: Runtime;
beforeAll(async () => {
  runtime = await Runtime.start({ provider, orchestrations: [keeper], ...parts });
});
afterAll(() => runtime.shutdown());

const { get, post: act } = asking({ provider });

async function read(path: string): Promise<string> {
  return (await get(path)).text();
}

it.each(NUMBERS)("the number %s", async (number) => {
  const id = `keeper ${number}`;
  const json = `{"account":${number}}`;
  expect((await act("start", `{"name":"keeper","id":"${id}","input":${json}}`)).status).toBe(200);
  const send = async (): Promise<number> =>
    (await act("enqueue", `{"id":"${id}","name":"values","data":${number}}`)).status;
  await expect.poll(send, { timeout: 60_000 }).toBe(200);
  const handle = new Client(provider, parts).handle(keeper, id);
  expect(await handle.result()).toBe(json);
  expect(await handle.get("sent")).toBe(number);
  expect(await read(`state?id=${encodeURIComponent(id)}`)).toContain(number);
  expect(await read(`history?id=${encodeURIComponent(id)}&execution=1`)).toContain(number);
});

it("a body in which a name occurs twice is refused", async () => {
  expect((await act("start", '{"name":"keeper","name":"other"}')).status).toBe(400);
  expect((await act("start", '{"name":"keeper","input":{"a":1,"a":2}}')).status).toBe(400);
});

it("a start with an instant begins then, and one with another text is refused", async () => {
  expect((await act("start", '{"name":"keeper","id":"soon","after":"soon"}')).status).toBe(400);
  expect((await act("start", '{"name":"keeper","id":"late","after":"2999-05-01T10:00Z"}')).status).toBe(200);
  const status = await new Client(provider, parts).handle(keeper, "late").status();
  expect(status).toMatchObject({ status: "Scheduled", startsAtMs: Date.parse("2999-05-01T10:00Z") });
});

it("a codec that takes values is given none that has lost something", async () => {
  const codec = {
    name: "own",
    encode: (value: unknown) => JSON.stringify(value ?? null),
    decode: JSON.parse,
  };
  const body = `{"name":"keeper","input":${NUMBERS[0]}}`;
  const answer = await asking({ provider, codec }).post("start", body);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("would become");
});

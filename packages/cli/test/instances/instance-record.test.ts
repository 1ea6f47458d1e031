/** Lines of `duroxide export`. */
import { activity, Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { decodeEvent } from "@duroxide-ts/core/stores";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { parseRecord, readRecord, recordLine } from "../../src/transfer/instance-record.ts";

it("A line has the events as the store has them, with inputs that repeat no earlier one", async () => {
  const answer = activity("answer", async (_ctx, said: string[]) => `${said.length} ${"x".repeat(1_000)}`);
  const talk = orchestration("talk", async (ctx) => {
    const said: string[] = [];
    for (let n = 0; n < 5; n++) said.push(await ctx.scheduleActivity(answer, said));
  });
  await using provider = await SqliteProvider.open(":memory:");
  const client = new Client(provider);
  await using _ = await Runtime.start({
    provider,
    activities: [answer],
    orchestrations: [talk],
    logger: silentLogger,
  });
  await (await client.start(talk, { instanceId: "i" })).result();

  const stored = await provider.readHistory("i");
  expect(stored.some((event) => "input_of" in event)).toBe(true);
  const line = recordLine(await readRecord({ client, provider }, "i"));
  expect(parseRecord(line, 1)).toEqual({ instanceId: "i", executions: [stored] });
  const { executions } = JSON.parse(line) as { readonly executions: readonly (readonly string[])[] };
  expect(executions.map((events) => events.map(decodeEvent))).toEqual([stored]);
});

/** A conversation with the agent of examples/agent that is longer than an entry of an instance may be. */
import { Client, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { AgentProcess } from "./agent-process.ts";

const QUESTIONS = 45;
/** Largest entry, bytes. */
const ENTRY_BYTES = 65_536;

it("a conversation outgrows an entry, goes on over executions and a kill, and is stored about once in each", async () => {
  await using agent = await AgentProcess.start(0);
  await agent.post("support", undefined, "long");
  const ask = async (at: number): Promise<void> => {
    const text = at === QUESTIONS ? "bye" : `Question ${"x".repeat(2_000)} ${"abc"[at % 3]}.`;
    await agent.post("instances/long/queues/questions", { text }, `long-${at}`);
  };
  for (let at = 0; at < QUESTIONS / 2; at++) await ask(at);
  await agent.kill();
  await agent.start();
  for (let at = Math.ceil(QUESTIONS / 2); at <= QUESTIONS; at++) await ask(at);
  await expect
    .poll(async () => (await fetch(`${agent.address}api/instances/long/result?wait=60s`)).status)
    .toBe(200);
  await agent.kill();

  await using provider = await SqliteProvider.open(agent.storePath, { readOnly: true });
  const client = new Client(provider, { logger: silentLogger });
  const transcript = await client.handle("support", "long").result();
  expect(transcript).toHaveLength(2 * QUESTIONS);
  const bytes = JSON.stringify(transcript).length;
  expect(bytes).toBeGreaterThan(2 * ENTRY_BYTES);

  const executions = await client.admin.executions("long");
  expect(executions).toHaveLength(3);
  for (const execution of executions) {
    const history = JSON.stringify(await provider.readHistory("long", execution));
    expect(history.length).toBeLessThan(3 * bytes);
  }
});

/**
 * The agent of examples/agent, killed at random instants, also in the middle of model calls: its transcript is that of an
 * agent that nothing happened to, no tool runs again after its result was stored, and its reader has each token once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { approval } from "@duroxide-ts/ai";
import { Client, silentLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { IS_DEEP, SEED } from "../support/effort.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { AgentProcess } from "./agent-process.ts";
import { EventReader, type Shown } from "./event-reader.ts";

const QUESTIONS = [
  "Hello!",
  "Where is order 7?",
  "Order 12 broke, I want a refund.",
  "Compare the orders 3, 4 and 5.",
  "bye",
];
const KILLS = IS_DEEP ? 50 : 4;
/** Longest time from a start to the kill: about that of a model call and a tool. */
const LONGEST_MS = 600;
const TOKEN_MS = 15;

interface Talk {
  readonly transcript: unknown;
  readonly parts: readonly Shown[];
  readonly resets: number;
  readonly kills: number;
  /** Runs of tools that were repeated, because the first ones were killed. */
  readonly repeated: number;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

/** Texts of the agent, as its messages have them. */
function textOf(transcript: unknown): string {
  return (transcript as readonly Message[])
    .filter(({ role }) => role === "assistant")
    .flatMap(({ content }) => (typeof content === "string" ? [{ type: "text", text: content }] : content))
    .map(({ type, text = "" }) => (type === "text" ? text : ""))
    .join("");
}

/** A conversation in which the customer says everything at once, and a colleague approves. */
async function talk(id: string, mostKills: number, random: SeededRandom): Promise<Talk> {
  await using agent = await AgentProcess.start(TOKEN_MS);
  await agent.post("support", undefined, id);
  for (const [at, text] of QUESTIONS.entries()) {
    await agent.post(`instances/${id}/queues/questions`, { text }, `${id}-${at}`);
  }
  const approve = async (asked: string): Promise<void> => {
    const send = () =>
      agent.post(`instances/${id}/queues/${approval(asked).name}`, { approved: true }, asked);
    while (
      !(await send().then(
        () => true,
        () => false,
      ))
    )
      await sleep(20);
  };
  const reader = new EventReader(
    () => `${agent.address}api/instances/${id}/streams/updates`,
    (part) => part.type === "approval" && void approve(part.id),
  );
  let isOver = false;
  void reader.ended.then(() => {
    isOver = true;
  });

  const stored = new Map<string, number>();
  let kills = 0;
  for (; kills < mostKills; kills++) {
    await Promise.race([sleep(random.next() * LONGEST_MS), reader.ended]);
    if (isOver) break;
    await agent.kill();
    await noteStored(agent, id, stored);
    await agent.start();
  }
  await reader.ended;
  await agent.kill();
  const atTheEnd = new Map<string, number>();
  await noteStored(agent, id, atTheEnd);
  expect(atTheEnd.size).toBe(2 + 2 + 3);

  const runs = Map.groupBy(await agent.ran(), ({ callKey }) => callKey);
  for (const [callKey, timesBefore] of stored) {
    expect(runs.get(callKey)?.length, `runs of a tool whose result was stored: ${callKey}`).toBe(timesBefore);
  }
  expect(reader.repeated).toEqual([]);
  const { parts, resets } = reader;
  const repeated = (await agent.ran()).length - runs.size;
  return { transcript: await outputOf(agent, id), parts, resets, kills, repeated };
}

/** Notes how often each tool has run whose result is stored while the service is dead. */
async function noteStored(agent: AgentProcess, id: string, stored: Map<string, number>): Promise<void> {
  await using provider = await SqliteProvider.open(agent.storePath, { readOnly: true });
  const client = new Client(provider, { logger: silentLogger });
  const timeline = await client.admin.timeline(id);
  const done = (timeline?.steps ?? []).filter(({ outcome }) => outcome === "completed");
  // The label of a tool's step is the id of its call, such as find-1-7; the name of a model's is that of the model.
  const labels = new Set(done.map(({ label = "" }) => label.replace(/-\d+-/, "-")));
  for (const [callKey, runs] of Map.groupBy(await agent.ran(), (ran) => ran.callKey)) {
    const [{ what, order } = { what: "", order: "" }] = runs;
    if (labels.has(`${what}-${order}`) && !stored.has(callKey)) stored.set(callKey, runs.length);
  }
}

/** Tools that run at once end in any order. */
function inOneOrder(parts: readonly Shown[]): readonly Shown[] {
  const ends = parts.filter(({ type }) => type === "tool-end").map((part) => JSON.stringify(part));
  return [...parts.filter(({ type }) => type !== "tool-end"), ...ends.sort().map((end) => JSON.parse(end))];
}

async function outputOf(agent: AgentProcess, id: string): Promise<unknown> {
  await using provider = await SqliteProvider.open(agent.storePath, { readOnly: true });
  return new Client(provider, { logger: silentLogger }).handle("support", id).result();
}

it(`an agent that is killed at ${KILLS} random instants (seed ${SEED}) ends with the same transcript, and shows each token once`, async () => {
  const random = new SeededRandom(SEED);
  const whole = await talk("talk", 0, random);
  expect(whole.transcript).toHaveLength(2 + 6 + 6 + 4);

  let kills = 0;
  let resets = 0;
  let repeated = 0;
  while (kills < KILLS) {
    const killed = await talk("talk", KILLS - kills, random);
    kills += killed.kills;
    resets += killed.resets;
    repeated += killed.repeated;
    expect(killed.transcript).toEqual(whole.transcript);
    expect(inOneOrder(killed.parts)).toEqual(inOneOrder(whole.parts));
    const shown = killed.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    expect(shown).toBe(textOf(killed.transcript));
  }
  process.stdout.write(
    `the agent: ${kills} kills, ${resets} in the middle of an answer, ${repeated} in a tool\n`,
  );
});

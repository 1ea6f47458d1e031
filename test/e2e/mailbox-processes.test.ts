/**
 * Four processes send to one instance while it continues as new. `MAILBOX_MESSAGES=10000 npm test -- mailbox-processes`
 * sends so many; by default there are fewer, so that the test takes seconds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { env, execPath } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, orchestration, Runtime } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { openAddress, STORES, type StoreAddress } from "../attempts/stores.ts";

const SENDER = fileURLToPath(new URL("../support/sender.ts", import.meta.url));
const SENDERS = ["a", "b", "c", "d"];
const MESSAGES = Number(env["MAILBOX_MESSAGES"] ?? 800);

interface Message {
  readonly sender: string;
  readonly number: number;
}

interface Progress {
  readonly total: number;
  readonly next: Readonly<Record<string, number>>;
}

/** Reads 50 messages in each execution; ends when it has all, or where a sender's order is broken. */
const reader = orchestration("reader", async (ctx, { total, next }: Progress): Promise<unknown> => {
  const expected = { ...next };
  for (let read = 0; read < 50; read++) {
    const { sender, number } = await ctx.dequeue<Message>("n");
    if (number !== expected[sender]) return `${sender}: ${number} instead of ${expected[sender]}`;
    expected[sender] = number + 1;
    if (Object.values(expected).reduce((sum, count) => sum + count, 0) === total) return expected;
  }
  return ctx.continueAsNew("reader", { total, next: expected });
});

async function send(address: StoreAddress, sender: string, count: number): Promise<void> {
  const flags = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
  const args = [SENDER, JSON.stringify(address), "i", sender, String(count)];
  const child = spawn(execPath, [...flags, ...args], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`sender ${sender} ended with ${code}`);
}

it.each(STORES)(
  "on %s an instance reads all that four processes send, each sender's messages in order",
  {
    timeout: 900_000,
  },
  async (_name, open) => {
    await using store = await open();
    await using provider = await openAddress(store.address);
    const client = new Client(provider);
    const each = Math.ceil(MESSAGES / SENDERS.length);
    const next = Object.fromEntries(SENDERS.map((sender) => [sender, 0]));
    const input = { total: each * SENDERS.length, next };
    const handle = await client.start(reader, { instanceId: "i", input });
    await using _runtime = await Runtime.start({ provider, orchestrations: [reader], activities: [] });
    while ((await handle.status()).status === "NotFound") await sleep(5);
    await Promise.all(SENDERS.map((sender) => send(store.address, sender, each)));
    const result = await handle.result({ timeout: 890_000 });
    expect(result).toEqual(Object.fromEntries(SENDERS.map((sender) => [sender, each])));
  },
);

/** Kills the service while an order waits for its payment, starts it again, and pays. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

const STORE_FILE = "crash.db";
for (const end of ["", "-wal", "-shm"]) rmSync(`${STORE_FILE}${end}`, { force: true });

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(): Promise<Service> {
  const env = { ...process.env, STORE_FILE, PORT: "0", API_TOKEN: undefined };
  const child = spawn(process.execPath, ["src/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  console.log(`service at ${url}`);
  return { child, url };
}

async function kill({ child }: Service, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, "exit");
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json", "idempotency-key": "order-1" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  console.log(`  POST ${new URL(url).pathname}: ${answer.status}`);
}

const first = await start();
await post(`${first.url}api/checkout`, { sku: "A-1", cents: 500 });
await kill(first, "SIGKILL");
console.log("killed while order-1 waits for its payment\n");

const second = await start();
await post(`${second.url}api/instances/order-1/queues/payments`, { cents: 500 });
const result = await fetch(`${second.url}api/instances/order-1/result?wait=20s`);
console.log(`  order-1: ${await result.text()}`);
await kill(second, "SIGTERM");

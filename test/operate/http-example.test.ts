/** The service of examples/http in a process of its own: it is asked, killed, started again and told to stop. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { HttpClient } from "@duroxide-ts/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { read } from "../tidy/repository.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../examples/http");
const DOCKERFILE = read("examples/http/Dockerfile");
const API_TOKEN = "a token that nobody guesses";
const FLAGS = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
const AUTHORIZED = { headers: { authorization: `Bearer ${API_TOKEN}` } };

const folder = mkdtempSync(path.join(tmpdir(), "duroxide-http-"));
const children: ChildProcess[] = [];
let port: number;
let address: string;

beforeAll(async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  address = `http://127.0.0.1:${port}`;
  server.close();
  await once(server, "close");
});

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The JSON array behind an instruction of the Dockerfile. */
function commandOf(instruction: RegExp): readonly string[] {
  const [, command = "[]"] = instruction.exec(DOCKERFILE) ?? [];
  return JSON.parse(command) as string[];
}

async function startServer(): Promise<ChildProcess> {
  const [program, file = ""] = commandOf(/^CMD (\[.*\])$/m);
  expect(program).toBe("node");
  const env = { ...process.env, PORT: String(port), STORE_FILE: path.join(folder, "orders.db"), API_TOKEN };
  const child = spawn(process.execPath, [...FLAGS, file], { cwd: FOLDER, env, stdio: "inherit" });
  children.push(child);
  await expect
    .poll(() =>
      fetch(`${address}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200);
  return child;
}

/** The exit code of the health check of the Dockerfile. */
function checkHealth(): number | null {
  const [, ...args] = commandOf(/^HEALTHCHECK .*CMD (\[.*\])$/m);
  return spawnSync(process.execPath, args, { env: { ...process.env, PORT: String(port) } }).status;
}

it("serves orders, goes on after a kill, answers who waits when it is told to stop, and ends with 0", async () => {
  const client = new HttpClient(address, AUTHORIZED);
  const killed = await startServer();
  expect((await fetch(`${address}/instances/order-1`)).status).toBe(401);
  const order = await client.start("checkout", { instanceId: "order-1", input: { sku: "A-1", cents: 500 } });
  expect(checkHealth()).toBe(0);
  const receipt = order.result();
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(checkHealth()).toBe(1);

  const server = await startServer();
  expect(
    (await client.start("checkout", { instanceId: "order-1", input: { sku: "A-1", cents: 500 } })).created,
  ).toBe(false);
  await order.enqueue("payments", { cents: 500 });
  // It has waited since before the kill.
  expect(await receipt).toBe("A-1 is on its way");

  const open = await client.start("checkout", { instanceId: "order-2", input: { sku: "A-2", cents: 1 } });
  await expect.poll(async () => (await open.status()).status).toBe("Running");
  const waiting = [
    fetch(`${address}/instances/order-2?wait=50s`, AUTHORIZED).then(({ status }) => status),
    fetch(`${address}/instances/order-2/streams/none`, AUTHORIZED).then((response) => response.text()),
  ];
  // Both are on their way when a later request of the same kind has been answered.
  await fetch(`${address}/instances/order-2?wait=100ms`, AUTHORIZED);
  const exited = once(server, "exit");
  server.kill("SIGTERM");
  expect(await Promise.all(waiting)).toEqual([202, ""]);
  expect(await exited).toEqual([0, null]);
});

/** Tests what many calls at once, and long histories, cost the connection. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { CosmosProvider, type RequestInfo } from "@duroxide-ts/cosmos";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { eventOf } from "@duroxide-ts/provider-tests/building-blocks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEndpoint } from "./fixture.ts";

let emulator: CosmosEmulator;
beforeAll(async () => {
  emulator = await startEndpoint();
});
afterAll(() => emulator[Symbol.asyncDispose]());

/** How many connections to the endpoint are open at the same time, at most. */
function countConnections(): { readonly most: number } & Disposable {
  const port = Number(new URL(emulator.endpoint).port);
  let [open, most] = [0, 0];
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once("connect", () => {
      if (socket.remotePort !== port) return;
      most = Math.max(most, ++open);
      socket.once("close", () => open--);
    });
  };
  subscribe("net.client.socket", note);
  return {
    get most() {
      return most;
    },
    [Symbol.dispose]: () => void unsubscribe("net.client.socket", note),
  };
}

it("three hundred calls at once open a hundred connections", async () => {
  const { connectionString } = emulator;
  const options = { connectionString, container: "sockets", membership: false } as const;
  await using provider = await CosmosProvider.connect(options);
  using connections = countConnections();
  // Answers come so late that every call is waiting for one.
  emulator.faults.add({ match: { operation: "item.read" }, effect: { kind: "delay", delayMs: 200 } });
  await Promise.all(Array.from({ length: 300 }, (_, n) => provider.getInstanceStatus(`i${n}`)));
  emulator.faults.clear();
  // One or two are open already.
  expect(connections.most).toBeGreaterThan(90);
  expect(connections.most).toBeLessThanOrEqual(100);
});

it("a history of 250 events is read with one request", async () => {
  const log: RequestInfo[] = [];
  const { connectionString } = emulator;
  await using provider = await CosmosProvider.connect({
    connectionString,
    container: "history",
    membership: false,
    onRequest: (info) => log.push(info),
  });
  const events = Array.from({ length: 250 }, (_, n) =>
    eventOf("ExternalEvent", "a", n + 1, { name: "e", data: "" }),
  );
  for (let first = 0; first < events.length; first += 50) {
    await provider.appendHistory("a", 1, events.slice(first, first + 50));
  }
  expect(await provider.readHistory("a", 1)).toHaveLength(250);
  const read = log.filter(({ operation, kind }) => operation === "readHistory" && kind === "query");
  expect(read).toHaveLength(1);
});

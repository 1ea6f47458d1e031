/** The output of an instance is that of the end that was waited for. */
import { Client, orchestration, Runtime, silentLogger, systemClock } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { awaitResult } from "../../src/instances/await-result.ts";
import type { Terminal } from "../../src/terminal/terminal.ts";

it("also where the instance is deleted at once, exactly as it is stored", async () => {
  const provider = new MemoryProvider();
  const client = new Client(provider);
  const echo = orchestration("echo", async (_ctx, text: string) => JSON.parse(text) as unknown);
  const runtime = await Runtime.start({ provider, orchestrations: [echo], logger: silentLogger });
  const { instanceId } = await client.start(echo, { instanceId: "order-1", input: '{"total":30}' });
  await client.handle(echo, instanceId).result();
  await runtime.shutdown();
  const read = provider.getInstanceStatus.bind(provider);
  provider.getInstanceStatus = async (id) => {
    const status = await read(id);
    await provider.admin.deleteInstance(id);
    return status;
  };
  let written = "";
  const terminal = {
    clock: systemClock,
    interrupted: new AbortController().signal,
    write: (text: string) => {
      written += text;
    },
    note: () => {},
  } as unknown as Terminal;
  const store = { client, codec: undefined };
  expect(await awaitResult({ form: "json", terminal }, store, instanceId, undefined)).toBe(0);
  expect(JSON.parse(written)).toEqual({ instanceId, status: "Completed", output: { total: 30 } });
});

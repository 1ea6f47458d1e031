/** A deployment whose processes have the old version and the new one, while the old process is killed at work. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client, event, type InstanceHandle } from "@duroxide-ts/core";
import { expect, it, onTestFinished } from "vitest";
import { ProgramProcess } from "../support/program-process.ts";
import { openAddress, STORES, type StoreAddress } from "./stores.ts";

const WORKER = fileURLToPath(new URL("./deployment-worker.ts", import.meta.url));
const INSTANCES = 10;
/** Event as the worker defines it. */
const go = event<boolean>("go", { keep: true });

/** Starts processes, and reads which steps they ran. */
function deploymentOn(address: StoreAddress) {
  const folder = mkdtempSync(path.join(tmpdir(), "deployment-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "runs.log");
  return {
    runs: (): readonly string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []),
    start(...versions: readonly string[]): ProgramProcess {
      const process = new ProgramProcess(WORKER, [JSON.stringify(address), file, ...versions]);
      onTestFinished(async () => {
        process.kill();
        await process.ended;
      });
      return process;
    },
  };
}

function startAll(client: Client, name: string): Promise<InstanceHandle<unknown>[]> {
  const ids = Array.from({ length: INSTANCES }, (_, n) => `${name}-${n}`);
  return Promise.all(ids.map((instanceId) => client.start("order", { instanceId })));
}

it.each(STORES)("ends each instance in the version that began it, on %s", async (_, open) => {
  await using store = await open();
  await using provider = await openAddress(store.address);
  const client = new Client(provider);
  const deployment = deploymentOn(store.address);
  const { runs } = deployment;

  const old = deployment.start("1.0.0");
  const before = await startAll(client, "before");
  await expect.poll(runs).not.toEqual([]);
  old.kill();
  await old.ended;
  deployment.start("1.0.0", "2.0.0");
  const after = await startAll(client, "after");
  const all = [...before, ...after];
  await Promise.all(all.map((handle) => handle.raise(go, true)));
  for (const handle of all) {
    const version = String(await handle.result());
    expect(runs()).toContain(`${handle.instanceId} begun by ${version}`);
    if (after.includes(handle)) expect(version).toBe("2.0.0");
  }
  const begun = runs().filter((line) => line.startsWith("before") && line.endsWith("begun by 1.0.0"));
  expect(begun.length).toBeGreaterThan(0);
  for (const line of begun) expect(runs()).toContain(line.replace("begun", "ended"));
});

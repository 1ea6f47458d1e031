/**
 * Servers that evaluate modules more than once: Next has a copy of a module for its instrumentation and another for its
 * routes, and development servers evaluate a module again after each change.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Runtime, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as Package from "../src/index.ts";
import { oncePerProcess } from "../src/index.ts";
import { ALL, OPERATOR, withShop } from "./support/shop.ts";

const FOLDERS = path.resolve(import.meta.dirname, "../../../.cache/copies");
let folder: string;
/** Another copy of the package, as a bundle or a reload has it. */
let copy: typeof Package;

beforeAll(async () => {
  mkdirSync(FOLDERS, { recursive: true });
  folder = mkdtempSync(path.join(FOLDERS, "http-"));
  cpSync(path.resolve(import.meta.dirname, "../src"), folder, { recursive: true });
  copy = (await import(
    /* @vite-ignore */ pathToFileURL(path.join(folder, "index.ts")).href
  )) as typeof Package;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("begins one runtime, whichever copies ask for it, at the same time or later", async () => {
  expect(copy.oncePerProcess).not.toBe(oncePerProcess);
  let begun = 0;
  const begin = async () => {
    begun += 1;
    return { number: begun };
  };
  const name = `test-${Math.random()}`;
  const found = await Promise.all([
    oncePerProcess(name, begin),
    copy.oncePerProcess(name, begin),
    oncePerProcess(name, begin),
  ]);
  found.push(await copy.oncePerProcess(name, begin));
  expect(begun).toBe(1);
  expect(new Set(found).size).toBe(1);
  expect(await oncePerProcess(`${name}-other`, begin)).toEqual({ number: 2 });
});

it("begins one runtime for a module that is evaluated anew after each change", async () => {
  const name = `test-${Math.random()}`;
  const file = path.join(folder, "program.ts");
  writeFileSync(
    file,
    `import { oncePerProcess } from "./index.ts";
    export const shop = (begin: () => Promise<unknown>) => oncePerProcess(${JSON.stringify(name)}, begin);`,
  );
  const runtimes: Runtime[] = [];
  const begin = async () => {
    const runtime = await Runtime.start({
      provider: new MemoryProvider(),
      orchestrations: ALL,
      logger: silentLogger,
    });
    runtimes.push(runtime);
    return runtime;
  };
  const evaluated = new Set<unknown>();
  for (const version of [1, 2, 3]) {
    const { shop } = await import(/* @vite-ignore */ `${pathToFileURL(file).href}?v=${version}`);
    evaluated.add(shop);
    await shop(begin);
  }
  expect([evaluated.size, runtimes.length]).toEqual([3, 1]);
  for (const runtime of runtimes) await runtime.shutdown({ graceMs: 0 });
});

it("begins again where the first begin has failed", async () => {
  const name = `test-${Math.random()}`;
  const failing = () => Promise.reject(new Error("no store"));
  await expect(oncePerProcess(name, failing)).rejects.toThrow("no store");
  await expect(
    oncePerProcess(name, () => {
      throw new Error("no store");
    }),
  ).rejects.toThrow("no store");
  expect(await oncePerProcess(name, async () => "begun")).toBe("begun");
});

withShop("a handler of one copy takes the client of another, and its errors", async (shop) => {
  const handler = copy.http({ client: shop.client, orchestrations: ALL, authorize: () => OPERATOR });
  const send = async (method: string, address: string) => {
    const response = await handler(new Request(`http://shop.example${address}`, { method }));
    return [response.status, await response.json()];
  };
  expect(await send("POST", "/echo")).toEqual([202, expect.anything()]);
  expect(await send("GET", "/instances/none")).toEqual([404, expect.anything()]);
  expect(await send("POST", "/instances/none/events/x")).toEqual([404, expect.anything()]);
});

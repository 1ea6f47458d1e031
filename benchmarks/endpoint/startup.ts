/** How long the local Cosmos DB endpoint takes to be ready: as a command, and inside a program. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { percentile, round } from "../figures.ts";

const RUNS = 9;
const PACKAGE = new URL("../../packages/cosmos-emulator/", import.meta.url);

/** The command is measured as it is installed, where `npm run dev -- build` has been run, and from the sources. */
export async function measureStartup(): Promise<readonly object[]> {
  const built = new URL("dist/cli.js", PACKAGE);
  const sources = new URL("src/cli.ts", PACKAGE);
  return [
    ...(existsSync(built) ? [await measure("the command, built", () => startCommand(built, []))] : []),
    await measure("the command, from sources", () => startCommand(sources, process.execArgv)),
    await measure("CosmosEmulator.start in a running program", startInProcess),
  ];
}

async function measure(what: string, startOnce: () => Promise<number>): Promise<object> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await startOnce());
  return {
    workload: "startup",
    what,
    runs: RUNS,
    p50_ms: round(percentile(times, 50)),
    max_ms: round(Math.max(...times)),
  };
}

/** Measures from the start of the process until its readiness URL answers, ms. */
async function startCommand(command: URL, execArgv: readonly string[]): Promise<number> {
  const begin = performance.now();
  const args = [...execArgv, fileURLToPath(command), "--port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const endpoint = await announced(child.stdout);
  const { ok } = await fetch(new URL("ready", endpoint));
  const tookMs = performance.now() - begin;
  child.kill();
  await once(child, "exit");
  if (!ok) throw new Error("the endpoint says that it is not ready");
  return tookMs;
}

/** The address that the command prints first. */
async function announced(output: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += chunk.toString();
    const endpoint = /(http:\S+)\n/.exec(text)?.[1];
    if (endpoint !== undefined) return endpoint;
  }
  throw new Error("the command ended without saying where it listens");
}

/** Measures until the endpoint answers, ms; the modules are loaded by the first run. */
async function startInProcess(): Promise<number> {
  const begin = performance.now();
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { ok } = await fetch(new URL("ready", emulator.endpoint));
  const tookMs = performance.now() - begin;
  if (!ok) throw new Error("the endpoint says that it is not ready");
  return tookMs;
}

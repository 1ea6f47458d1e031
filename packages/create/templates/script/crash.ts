/** Kills the program while it packs, and starts it again: it goes on, and charges once. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

const ORDERS_DB = "crash.db";
for (const end of ["", "-wal", "-shm"]) rmSync(`${ORDERS_DB}${end}`, { force: true });

function start(): ChildProcess & { readonly stdout: NonNullable<ChildProcess["stdout"]> } {
  console.log("node src/main.ts");
  const env = { ...process.env, ORDERS_DB };
  return spawn(process.execPath, ["src/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
}

const first = start();
for await (const line of createInterface({ input: first.stdout })) {
  console.log(`  ${line}`);
  if (line.startsWith("packing")) first.kill("SIGKILL");
}
console.log("killed while it packs\n");

const second = start();
for await (const line of createInterface({ input: second.stdout })) console.log(`  ${line}`);
if (second.exitCode === null) await once(second, "exit");
console.log("it did not charge again: the result was stored");

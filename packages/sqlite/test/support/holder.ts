/**
 * A process that has the file open. It prints `open`; as `waiting` it waits for an activity and prints how that
 * ends, as `idle` it waits for a line. Then it tries calls of every kind and prints their codes. What the provider
 * logs is printed with `log` before it.
 */
import { writeSync } from "node:fs";
import { argv, stdin } from "node:process";
import { createInterface } from "node:readline";
import { type Logger, ProviderError } from "@duroxide-ts/core";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [, , path = "", mode = "waiting"] = argv;

function print(line: string): void {
  writeSync(1, `${line}\n`);
}

const log =
  (level: string) =>
  (fields: Readonly<Record<string, unknown>>, _message: string): void =>
    print(`log ${level} ${String(fields.event)} ${String(fields.path)}`);

const logger: Logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };

async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "fulfilled",
    (error: unknown) =>
      ProviderError.is(error) ? `${error.code}${error.retryable ? " retryable" : ""}` : String(error),
  );
}

const provider = await SqliteProvider.open(path, { logger });
const lines = createInterface(stdin)[Symbol.asyncIterator]();
print("open");
if (mode === "waiting") {
  const tagFilter = { kind: "any" } as const;
  const waiting = provider.fetchWorkItem({ lockTimeoutMs: 60_000, pollTimeoutMs: 120_000, tagFilter });
  print(`waited ${await outcome(waiting)}`);
} else {
  await lines.next();
}
print(`write ${await outcome(provider.enqueueForOrchestrator(startItem("late")))}`);
print(`read ${await outcome(provider.getInstanceStatus("late"))}`);
print(`admin ${await outcome(provider.admin.queryInstances())}`);
print(`fetch ${await outcome(provider.fetchOrchestrationItem({ lockTimeoutMs: 1_000, pollTimeoutMs: 0 }))}`);
await provider.close();
print("closed");
process.exit();

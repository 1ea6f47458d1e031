/**
 * `node --conditions=@duroxide-ts/source packages/cosmos-emulator/conformance/run.ts --endpoint URL [--key K]`: holds an
 * endpoint to the suite and prints a table. Exits with 0 whatever it found, because it measures endpoints that are not ours
 * too; with 1 where the endpoint does not answer or does not let it begin, with 2 for a mistake on the command line.
 *
 * `--spawn COMMAND` starts the endpoint, and starts it again when a check has brought it down; the checks then run one at a
 * time and in containers of their own, so that each of them answers for itself only.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { tableOf } from "./report.ts";
import { runChecks } from "./runner.ts";
import { SpawnedEndpoint } from "./spawned-endpoint.ts";
import { CHECKS } from "./suite.ts";
import { EMULATOR_KEY, Target } from "./target.ts";

const MISTAKE = 2;
const CANNOT_BEGIN = 1;

const OPTIONS = {
  endpoint: { type: "string" },
  /** Key, by default `COSMOSDB_KEY`, since a command line can be read by every process of the machine. */
  key: { type: "string", default: process.env["COSMOSDB_KEY"] ?? EMULATOR_KEY },
  name: { type: "string" },
  /** Text that the "group: name" of a check contains. */
  only: { type: "string", default: "" },
  json: { type: "string" },
  spawn: { type: "string" },
  concurrency: { type: "string", default: "8" },
  timeout: { type: "string", default: "60" },
} as const;

const values = flags();
const endpoint = values.endpoint ?? fail("Say which endpoint: --endpoint http://127.0.0.1:8081", MISTAKE);
const { key, only } = values;

const spawned =
  values.spawn === undefined
    ? undefined
    : await SpawnedEndpoint.start(values.spawn, endpoint).catch((error: Error) => cannotBegin(error));
const checks = CHECKS.filter(({ group, name }) => `${group}: ${name}`.includes(only));
let target = await Target.open(endpoint, key).catch(async (error: Error) => {
  await spawned?.stop();
  return cannotBegin(error);
});
const outcomes = await runChecks(target, checks, {
  isolate: spawned !== undefined,
  concurrency: spawned === undefined ? Number(values.concurrency) : 1,
  timeoutMs: Number(values.timeout) * 1000,
  ...(spawned !== undefined && {
    recover: async (before: Target) => {
      if (await spawned.answers()) return before;
      await spawned.restart();
      target = await Target.open(endpoint, key);
      return target;
    },
  }),
});
await target.close();
await spawned?.stop();

const label = values.name ?? endpoint;
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ label, outcomes }, undefined, 2));
process.stdout.write(`${tableOf(label, outcomes)}\n`);
if (spawned !== undefined) process.stdout.write(`\nstarted again ${spawned.restarts} times\n`);
process.exit(0);

function flags(): ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"] {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), MISTAKE);
  }
}

function cannotBegin(error: Error): never {
  const { code } = (error.cause ?? {}) as { code?: unknown };
  const isSilent = typeof code === "string" && /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT)/.test(code);
  return fail(
    isSilent
      ? `Nothing answers at ${endpoint} (${code}): start the endpoint first, or mend --endpoint.`
      : `The suite cannot begin at ${endpoint}: ${error.message}`,
    CANNOT_BEGIN,
  );
}

function fail(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

/** Performs the command once its line is understood. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { ProviderError } from "@duroxide-ts/core/stores";
import type { Recording } from "@duroxide-ts/cosmos-emulator/conformance";
import type { CheckCommand } from "./command.ts";
import { describeCost, estimate, PRICES } from "./cost.ts";
import { openPlace } from "./place.ts";
import { tableOf } from "./report.ts";
import { runCheck } from "./run.ts";
import { WHOLE } from "./scale.ts";
import type { Step } from "./step.ts";
import { selectedSteps } from "./steps.ts";

const RED = 1;
const WRONG_COMMAND = 2;

/** Resolves to the exit code. */
export async function perform(command: CheckCommand): Promise<number> {
  const steps = selectedSteps(command.selection);
  const cost = describeCost(estimate(steps, WHOLE));
  print(`The check costs about ${cost} (list prices of ${PRICES.asOf}).`);
  return (await isAgreed(command)) ? check(command, steps) : 0;
}

async function check(
  { source, keep, report: file, record }: CheckCommand,
  steps: readonly Step[],
): Promise<number> {
  await using place = await openPlace(source).catch((error: unknown) => refuse(error));
  const report = await runCheck({
    place,
    steps,
    scale: WHOLE,
    keep,
    say: print,
    ...(record !== undefined && { onRecording: (recording) => writeRecording(record, recording) }),
    onStep: ({ id, title, verdict }) => print(`${id}  ${title}: ${verdict}`),
  });
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  print(`\n${tableOf(report)}`);
  if (report.databaseRemoved === false) print("The database duroxide-check… is still there: remove it.");
  return report.outcome === "green" ? 0 : RED;
}

/** Ends the process because the input makes no sense. The message repeats no value. */
function refuse(error: unknown): never {
  if (!ProviderError.is(error)) throw error;
  process.stderr.write(`npm run dev -- azure-check: ${error.message}\n`);
  process.exit(WRONG_COMMAND);
}

function writeRecording(folder: string, recording: Recording): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${recording.recordedFrom}.json`);
  writeFileSync(file, `${JSON.stringify(recording, undefined, 1)}\n`);
  print(`The recording is in ${file}.`);
}

/** Nothing is charged in a rehearsal. */
async function isAgreed({ source, yes }: CheckCommand): Promise<boolean> {
  if (yes || source.kind === "rehearsal") return true;
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question("Go on? [y/N] ");
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

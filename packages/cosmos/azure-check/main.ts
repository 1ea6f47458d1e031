/**
 * `npm run azure-check -- [--rehearsal | --connection-string-env NAME | --endpoint URL …]`: whether an account does what
 * the provider relies on. Exits with 0 where every gate is green, with 1 where one is red, with 2 for a wrong command line.
 */
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { type CheckCommand, readCommand } from "./command.ts";
import { describeCost, estimate, PRICES } from "./cost.ts";
import { openPlace } from "./place.ts";
import { tableOf } from "./report.ts";
import { runCheck } from "./run.ts";
import { WHOLE } from "./scale.ts";

const RED = 1;

const command = readCommand();
print(
  `The check costs about ${describeCost(estimate(command.steps, WHOLE))} (list prices of ${PRICES.asOf}).`,
);
if (!(await isAgreed(command))) process.exit(0);
process.exitCode = await check(command);

async function check({ source, steps, keep, report: file }: CheckCommand): Promise<number> {
  await using place = await openPlace(source);
  const report = await runCheck({
    place,
    steps,
    scale: WHOLE,
    keep,
    say: print,
    onStep: ({ id, title, verdict }) => print(`${id}  ${title}: ${verdict}`),
  });
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`);
  print(`\n${tableOf(report)}`);
  if (report.databaseRemoved === false) print("The database duroxide-check… is still there: remove it.");
  return report.outcome === "green" ? 0 : RED;
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

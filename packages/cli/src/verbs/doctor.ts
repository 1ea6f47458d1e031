/** `duroxide doctor`: what is wrong with a store, and what mends it. */
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { CHECKS, checkReach } from "../doctor/checks.ts";
import type { Finding } from "../doctor/finding.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import { safeText } from "../text/safe-text.ts";

export const doctor: Verb = defineVerb({
  name: "doctor",
  takes: "",
  flags: {},
  details: `
It looks at blocked and overdue work, tags and handlers that no worker has, rows that were fetched often, dead letters,
long histories, and the log of a SQLite file. It changes nothing. Exit code 1 if something is red.`,
  examples: [
    ["doctor", "each finding with the command that looks closer"],
    ["doctor -o json", "for a monitor"],
  ],
  run: examine,
});

async function examine(call: Call): Promise<ExitCode> {
  const { terminal, form } = call;
  const store = await call.store("read");
  const { admin } = store.client;
  const findings: Finding[] = [await checkReach(admin, () => terminal.clock.now())];
  const examined = { store, workers: await admin.workers(), nowMs: terminal.clock.now() };
  for (const check of CHECKS) findings.push(...(await check(examined)));
  if (form === "json") terminal.write(formatJson(findings.map(jsonOf)));
  else if (form === "jsonl") for (const finding of findings) terminal.write(formatJsonLine(jsonOf(finding)));
  else for (const finding of findings) terminal.write(lineOf(finding, call));
  return findings.some(({ level }) => level === "red") ? EXIT.failed : EXIT.ok;
}

function jsonOf({ level, text, next }: Finding): object {
  return { level, text, ...(next !== undefined && { next: ["duroxide", ...next].join(" ") }) };
}

const STYLES = { ok: "green", warn: "yellow", red: "red" } as const;

function lineOf({ level, text, next }: Finding, { terminal }: Call): string {
  const label = terminal.style(STYLES[level], (level === "red" ? "RED" : level).padEnd(5));
  const hint = next === undefined ? "" : nextLine([next]).replace("Next: ", "  -> ");
  return `${label} ${safeText(text)}${terminal.style("dim", hint)}\n`;
}

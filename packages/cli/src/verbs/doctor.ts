/** `duroxide doctor`: what is wrong with a store, and what mends it. */
import { ProviderError } from "@duroxide-ts/core/client";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { CHECKS, checkReach } from "../doctor/checks.ts";
import { type Finding, findingValue } from "../doctor/finding.ts";
import { StoreWarnings } from "../doctor/store-warnings.ts";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { describe } from "../errors/report-error.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import type { OpenStore } from "../store/open-store.ts";
import { safeText } from "../text/safe-text.ts";

export const doctor: Verb = defineVerb({
  name: "doctor",
  takes: "",
  flags: {},
  details: `
It looks at blocked and overdue work, tags and handlers that no worker has, workers whose clocks are ahead, rows that
were fetched often, dead letters, long histories, payloads near the limit and large instances among the last hundred
that run, the schema, the log and the disk of a SQLite file, and on Cosmos DB at the indexes of the container and at the
clock of this machine. It changes nothing, and says which command would. It counts the instances that run by name and
version, which costs accordingly on Cosmos DB; everything else is a limited number of rows. Exit code 1 if something is
red, 3 if the store cannot be opened.`,
  examples: [
    ["doctor", "each finding with the command that looks closer"],
    ["doctor -o json", "for a monitor"],
  ],
  run: examine,
});

async function examine(call: Call): Promise<ExitCode> {
  const warnings = new StoreWarnings();
  let store: OpenStore;
  try {
    store = await call.store("read", warnings.logger);
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    show([{ level: "red", text: error.detail }], call);
    return describe(error).exitCode;
  }
  const { clock } = call.terminal;
  const { admin } = store.client;
  const findings: Finding[] = [await checkReach(admin, () => clock.now())];
  const examined = { store, workers: await admin.workers(), nowMs: clock.now() };
  for (const check of CHECKS) findings.push(...(await check(examined)));
  findings.push(...warnings.findings);
  show(findings, call);
  return findings.some(({ level }) => level === "red") ? EXIT.failed : EXIT.ok;
}

function show(findings: readonly Finding[], call: Call): void {
  const { terminal, form } = call;
  if (form === "json") terminal.write(formatJson(findings.map(findingValue)));
  else if (form === "jsonl")
    for (const finding of findings) terminal.write(formatJsonLine(findingValue(finding)));
  else for (const finding of findings) terminal.write(lineOf(finding, call));
}

/** Spaces as wide as the label. */
const INDENT = " ".repeat(6);
const STYLES = { ok: "green", warn: "yellow", red: "red" } as const;

function lineOf({ level, text, next }: Finding, { terminal }: Call): string {
  const label = terminal.style(STYLES[level], (level === "red" ? "RED" : level).padEnd(5));
  const hint = next === undefined ? "" : nextLine([next]).replace("Next: ", "  -> ");
  const [first = "", ...commands] = text.split("\n");
  const more = commands.map((command) => `${INDENT}${safeText(command)}\n`).join("");
  return `${label} ${safeText(first)}${terminal.style("dim", hint)}\n${more}`;
}

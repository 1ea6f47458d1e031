/** The command line of the check. A secret is never on it, only the name of the variable that holds it. */
import { CommandLine } from "../../../scripts/command-line.ts";
import type { AccountSource } from "./place.ts";
import type { Phase, Selection } from "./step.ts";

export interface CheckCommand {
  readonly source: AccountSource;
  readonly selection: Selection;
  readonly report: string | undefined;
  readonly record: string | undefined;
  readonly keep: boolean;
  readonly yes: boolean;
}

const HELP = ` [flags]

Cosmos DB: whether an account does what the provider relies on, in a database of its own that is removed at the end. Says
what it costs before it starts and when it ends, and stops at the first gate that does not hold (docs/cosmos/azure-check.md).

  --rehearsal                   on an endpoint of our own, which it starts; costs nothing
  --connection-string-env NAME  the account, by the environment variable that holds its connection string
  --endpoint URL                the account, with one or both of:
    --key-env NAME                the environment variable that holds its key
    --entra                       Microsoft Entra ID (DefaultAzureCredential); also checks its role
  --phase LIST                  0 preflight, 1 container, 2 probes, 3 suites (0,1,2,3)
  --probe LIST                  of phase 2 only these, such as 1,2
  --split                       also raises the throughput under load until the container splits; up to 90 minutes
  --failover                    also waits until somebody moves the write region under load
  --report FILE                 writes the report as JSON
  --record FOLDER               writes the requests and answers of the probes there, without secrets
  --keep                        does not remove the database
  --yes                         does not ask whether to go on
`;

const FLAGS = {
  rehearsal: { type: "boolean" },
  "connection-string-env": { type: "string" },
  endpoint: { type: "string" },
  "key-env": { type: "string" },
  entra: { type: "boolean" },
  phase: { type: "string", default: "0,1,2,3" },
  probe: { type: "string" },
  split: { type: "boolean" },
  failover: { type: "boolean" },
  report: { type: "string" },
  record: { type: "string" },
  keep: { type: "boolean" },
  yes: { type: "boolean" },
} as const;

type Line = CommandLine<typeof FLAGS>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Ends the process with one sentence where the line is wrong. */
export function readCommand(
  args: readonly string[] = process.argv.slice(2),
  environment: Environment = process.env,
): CheckCommand {
  const line = CommandLine.read({ call: "npm run dev -- azure-check", help: HELP, flags: FLAGS }, args);
  const { report, record, keep, yes } = line.values;
  const selection = selectionIn(line);
  const source = sourceIn(line, environment);
  if (source.kind !== "rehearsal" && !yes && !process.stdin.isTTY)
    line.refuse("it asks whether to go on, and nobody can answer: add --yes");
  return { source, selection, report, record, keep, yes };
}

function sourceIn(line: Line, environment: Environment): AccountSource {
  const {
    rehearsal,
    endpoint,
    entra,
    "connection-string-env": variable,
    "key-env": keyVariable,
  } = line.values;
  const named = [rehearsal, variable !== undefined, endpoint !== undefined].filter(Boolean).length;
  if (named !== 1) line.refuse("name one account: --rehearsal, --connection-string-env or --endpoint");
  if (rehearsal) return { kind: "rehearsal", withIdentity: entra, physicalPartitions: 2 };
  if (variable !== undefined) {
    if (keyVariable !== undefined)
      line.refuse("--key-env goes with --endpoint; a connection string has a key");
    const connectionString = secretIn(line, environment, variable);
    return { kind: "connection-string", connectionString, withIdentity: entra };
  }
  if (keyVariable === undefined && !entra) line.refuse("--endpoint needs --key-env, --entra or both");
  const key = keyVariable === undefined ? undefined : secretIn(line, environment, keyVariable);
  return { kind: "endpoint", endpoint: endpoint ?? "", key, withIdentity: entra };
}

function secretIn(line: Line, environment: Environment, variable: string): string {
  const value = environment[variable]?.trim() ?? "";
  return value === "" ? line.refuse(`the environment variable ${variable} is not set`) : value;
}

/** A test compares it with the steps. */
const PROBES = 18;

function selectionIn(line: Line): Selection {
  const { phase, probe, entra, split, failover } = line.values;
  const phases = phase.split(",").map((each) => each.trim());
  const unknown = phases.find((each) => !["0", "1", "2", "3"].includes(each));
  if (unknown !== undefined) line.refuse(`there is no phase "${unknown}": use 0, 1, 2 and 3`);
  const extra: readonly Phase[] = [
    ...(entra ? (["entra"] as const) : []),
    ...(split ? (["split"] as const) : []),
    ...(failover ? (["failover"] as const) : []),
  ];
  const probes = probe?.split(",").map((each) => each.trim());
  const missing = probes?.find((each) => !/^\d+$/.test(each) || Number(each) < 1 || Number(each) > PROBES);
  if (missing !== undefined) line.refuse(`there is no probe "${missing}": they are 1 to ${PROBES}`);
  return {
    phases: new Set<Phase>([...phases.map((each) => Number(each) as Phase), ...extra]),
    probes: probes?.map((each) => `2.${Number(each)}`),
  };
}

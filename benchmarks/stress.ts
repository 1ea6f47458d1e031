/**
 * `npm run stress -- [--provider sqlite|memory|cosmos] [--scenario parallel|large|all] [--seconds 10] …`: the stress scenarios
 * of the validation kit on our own stores; the flags are those of `stressFromFlags`. The exit code says whether
 * everything completed and nothing was lost, doubled or left over.
 */
import { CommandLine } from "../scripts/command-line.ts";

const STORE_NAMES = ["sqlite", "memory", "cosmos"] as const;

const text = { type: "string" } as const;
const line = CommandLine.read({
  call: "npm run stress",
  help: ` [-- flags]

Two loads on a fresh store, each with its invariants checked: nothing lost, doubled or left over.

  --provider NAME                sqlite (default), memory or cosmos
  --scenario NAME                parallel, large or all (default)
  --seconds N                    how long orchestrations are started for (10)
  --orchestrations N             how many are started instead, at most
  --max-concurrent N             how many at the same time
  --tasks N                      activities of each
  --activity-delay-ms N          how long an activity takes
  --orchestration-concurrency N  of the runtime
  --worker-concurrency N         of the runtime
  --wait-timeout-ms N            how long the end of one is waited for
`,
  flags: {
    provider: { type: "string", default: "sqlite" },
    scenario: text,
    seconds: text,
    orchestrations: text,
    "max-concurrent": text,
    tasks: text,
    "activity-delay-ms": text,
    "orchestration-concurrency": text,
    "worker-concurrency": text,
    "wait-timeout-ms": text,
  },
});
const store = line.choice("provider", STORE_NAMES);
// A wrong flag is refused before the stores are loaded, which takes longer.
const { stressFromFlags } = await import("@duroxide-ts/provider-tests");
const { FACTORIES } = await import("./stress-stores.ts");
const { provider: _, ...flags } = line.values;
const args = Object.entries(flags).flatMap(([flag, value]) =>
  value === undefined ? [] : [`--${flag}=${value}`],
);
process.exitCode = await stressFromFlags(FACTORIES[store], args).catch((error: unknown) => {
  if (error instanceof TypeError) return line.refuse(error.message);
  throw error;
});

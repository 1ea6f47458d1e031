/** `duroxide stress`: the stress scenarios of the validation kit on a fresh store. */
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { CommandError, EXIT, type ExitCode } from "../errors/exit-code.ts";

const NUMBER = { kind: "number", value: "N", least: 1 } as const;

const FLAGS = {
  scenario: {
    kind: "text",
    value: "NAME",
    choices: ["parallel", "large", "all"],
    help: "parallel, large or all (default)",
  },
  seconds: { ...NUMBER, help: "how long orchestrations are started for (10)" },
  orchestrations: { ...NUMBER, help: "how many are started instead, at most" },
  "max-concurrent": { ...NUMBER, help: "how many at the same time" },
  tasks: { ...NUMBER, help: "activities of each" },
  "activity-delay-ms": { ...NUMBER, help: "how long an activity takes" },
  "orchestration-concurrency": { ...NUMBER, help: "of the runtime" },
  "worker-concurrency": { ...NUMBER, help: "of the runtime" },
  "wait-timeout-ms": { ...NUMBER, help: "how long the end of one is waited for" },
} as const;

export const stress: Verb = defineVerb({
  name: "stress",
  takes: "",
  flags: FLAGS,
  details: `
It creates the store and refuses one that has instances. Nothing may be lost, doubled or left over: exit code 1 if
something is. It needs the package @duroxide-ts/provider-tests beside this one.`,
  examples: [
    ["stress --store sqlite:stress.db --scenario parallel --seconds 10", "on a new file"],
    ["stress --store cosmos:https://localhost:8081/test/stress", "on a new container"],
  ],
  run: stressStore,
});

async function stressStore(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { flags, terminal } = call;
  const { stressFromFlags } = await loadKit();
  const { provider, client, kind } = await call.store("create");
  const { totalInstances } = await client.admin.metrics();
  if (totalInstances > 0) {
    throw new CommandError(
      EXIT.failed,
      `The store has ${totalInstances} instances; name one that does not exist yet`,
    );
  }
  const factory = {
    name: kind,
    capabilities: { clock: "system", polling: "long", storageCalls: kind === "sqlite" ? "one" : "several" },
    // Both scenarios share the store: the first leaves no work behind.
    open: async () => ({ provider, [Symbol.asyncDispose]: async () => {} }),
  } as const;
  const words = Object.keys(FLAGS).flatMap((name) => {
    const value = flags[name as keyof typeof FLAGS];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const code = await stressFromFlags(factory, words, (text) => terminal.write(`${text}\n`));
  return code === 0 ? EXIT.ok : EXIT.failed;
}

async function loadKit(): Promise<typeof import("@duroxide-ts/provider-tests")> {
  try {
    return await import("@duroxide-ts/provider-tests");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CommandError(
      EXIT.failed,
      "The package @duroxide-ts/provider-tests is not installed",
      "npm install @duroxide-ts/provider-tests",
    );
  }
}

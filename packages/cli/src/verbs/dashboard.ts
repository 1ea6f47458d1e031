/** `duroxide dashboard`: the dashboard of a store in a browser. */
import { machineUser, recordingLogger } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { CommandError, EXIT, usage } from "../errors/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

const FLAGS = {
  port: { kind: "number", value: "N", least: 0, help: "7654 by default; 0 for any that is free" },
  host: {
    kind: "text",
    value: "HOST",
    help: "127.0.0.1 by default; another one needs DUROXIDE_DASHBOARD_TOKEN",
  },
  "base-path": { kind: "text", value: "PATH", help: "path below which a proxy has it, such as /ops" },
  origin: {
    kind: "texts",
    value: "URL",
    help: "origin at which a proxy has it, such as https://ops.example.com",
  },
  title: { kind: "text", value: "TEXT", help: "name of the store on the page; by default that of --store" },
  "read-only": { kind: "switch", help: "shows, and offers no action" },
} as const;

export const dashboard: Verb = defineVerb({
  name: "dashboard",
  takes: "",
  flags: FLAGS,
  details: `
It listens on this machine only and prints an address that signs in the first browser that opens it. A fixed token
comes from the environment variable DUROXIDE_DASHBOARD_TOKEN. Each action is a line of JSON on stderr, with the user and the
reason. It needs the package @duroxide-ts/dashboard beside it.`,
  examples: [
    ["dashboard --read-only", "to look"],
    ["dashboard --port 0", "on any free port"],
  ],
  async run(call) {
    const { flags, terminal } = call;
    const { startDashboard } = await loadDashboard();
    const config = await call.config();
    const { dashboard: configured = {}, orchestrations = [] } = config;
    const { redact = config.redact } = configured as Pick<typeof config, "redact">;
    const { provider, codec } = await call.store(flags["read-only"] ? "read" : "write");
    const token = terminal.environment["DUROXIDE_DASHBOARD_TOKEN"];
    if (flags.host !== undefined && token === undefined) throw usage("--host needs DUROXIDE_DASHBOARD_TOKEN");
    const running = await startDashboard({
      orchestrations,
      user: machineUser(),
      logger: recordingLogger(terminal),
      ...configured,
      ...(redact !== undefined && { redact }),
      provider,
      ...(codec !== undefined && { codec }),
      ...(flags.port !== undefined && { port: flags.port }),
      ...(flags.host !== undefined && { host: flags.host }),
      ...(flags["base-path"] !== undefined && { basePath: flags["base-path"] }),
      ...(flags.origin !== undefined && { origins: flags.origin }),
      ...(flags.title !== undefined && { title: flags.title }),
      ...(token !== undefined && { token }),
      ...(flags["read-only"] && { readOnly: true }),
    });
    terminal.write(`Dashboard  ${running.signInUrl()}\nCtrl-C ends it.\n`);
    await untilInterrupted(terminal);
    await running.close();
    return EXIT.interrupted;
  },
});

interface DashboardModule {
  startDashboard(options: object): Promise<{ signInUrl(): string; close(): Promise<void> }>;
}

const PACKAGE = "@duroxide-ts/dashboard";

/** An optional package: its fonts and its page are larger than this command. */
async function loadDashboard(): Promise<DashboardModule> {
  try {
    return (await import(PACKAGE)) as DashboardModule;
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new CommandError(EXIT.failed, `The package ${PACKAGE} is not installed`, `npm install ${PACKAGE}`);
  }
}

/** Waits for Ctrl-C. */
function untilInterrupted({ interrupted }: Terminal): Promise<void> {
  if (interrupted.aborted) return Promise.resolve();
  return new Promise((resolve) => interrupted.addEventListener("abort", () => resolve(), { once: true }));
}

/** What a verb is called with: its arguments, the terminal, and the store when it asks for it. */
import { stderrLogger, systemClock } from "@duroxide-ts/core/client";
import type { parse } from "./command/parse.ts";
import type { Call, VerbTable } from "./command/verb.ts";
import type { OutputForm } from "./output/form.ts";
import { type Config, loadConfig } from "./store/config.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import type { StoreAccess } from "./store/store-name.ts";
import { processTerminal } from "./terminal/process-terminal.ts";
import { packageVersion } from "./version.ts";

/** A call, and what it has opened. */
export interface StartedCall extends AsyncDisposable {
  readonly call: Call;
}

export function startCall(verbs: VerbTable, { words, values }: ReturnType<typeof parse>): StartedCall {
  silenceSqliteWarning();
  const form = (values["output"] as OutputForm | undefined) ?? "table";
  const terminal = processTerminal(systemClock, hasColours(values["no-color"] === true));
  const logger = stderrLogger();
  let config: Promise<Config> | undefined;
  let opened: Promise<OpenStore> | undefined;
  const readConfig = (): Promise<Config> => {
    config ??= loadConfig(values["config"] as string | undefined, terminal.folder);
    return config;
  };
  const open = async (access: StoreAccess): Promise<OpenStore> => {
    const named = values["store"] as string | undefined;
    const { environment, folder } = terminal;
    return openStore({ named, environment, folder, config: await readConfig(), logger }, access);
  };
  return {
    call: {
      words,
      flags: values as Call["flags"],
      form,
      terminal,
      verbs,
      version: packageVersion(),
      config: readConfig,
      store(access) {
        opened ??= open(access);
        return opened;
      },
    },
    async [Symbol.asyncDispose]() {
      // A store that could not be opened is reported by who asked for it.
      const store = await opened?.catch(() => undefined);
      await store?.close();
    },
  };
}

function hasColours(switchedOff: boolean): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced } = process.env;
  if (switchedOff || (none !== undefined && none !== "")) return false;
  return forced !== undefined && forced !== "0"
    ? true
    : process.stdout.isTTY === true && process.stdout.hasColors();
}

/** Node 22 warns at every start that its SQLite is new; to the user of this command that says nothing. */
function silenceSqliteWarning(): void {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is an experimental feature"))
      Reflect.apply(emit, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
}

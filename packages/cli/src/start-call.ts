/** The argument with which a verb is called: its words, the terminal, and the store when it asks for it. */
import type { Logger } from "@duroxide-ts/core/client";
import type { parse } from "./command/parse.ts";
import type { Call, VerbTable } from "./command/verb.ts";
import type { OutputForm } from "./output/form.ts";
import { type Config, loadConfig } from "./store/config.ts";
import { type OpenStore, openStore } from "./store/open-store.ts";
import type { StoreAccess } from "./store/store-name.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { packageVersion } from "./version.ts";

/** A call, and what it has opened. */
export interface StartedCall extends AsyncDisposable {
  readonly call: Call;
  /** Cost of its reads, as a line; empty where the store charges nothing, and for a call that writes. */
  cost(): Promise<string>;
}

export function startCall(
  verbs: VerbTable,
  { words, values }: ReturnType<typeof parse>,
  terminal: Terminal,
): StartedCall {
  const form = (values["output"] as OutputForm | undefined) ?? "table";
  let config: Promise<Config> | undefined;
  let opened: Promise<OpenStore> | undefined;
  let access: StoreAccess | undefined;
  const readConfig = (): Promise<Config> => {
    config ??= loadConfig(values["config"] as string | undefined, terminal.folder);
    return config;
  };
  const open = async (logger: Logger, wanted: StoreAccess): Promise<OpenStore> => {
    const named = values["store"] as string | undefined;
    const { environment, folder } = terminal;
    return openStore({ named, environment, folder, config: await readConfig(), logger }, wanted);
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
      store(wanted, logger = terminal.logger) {
        access ??= wanted;
        if (wanted !== "read") terminal.willChange();
        opened ??= open(logger, wanted);
        return opened;
      },
    },
    async cost() {
      // A verb that reports why the store could not be opened ends without one.
      const store = await opened?.catch(() => undefined);
      const units = access === "read" ? store?.client.requestUnits : undefined;
      if (units === undefined) return "";
      const { costLine } = await import("./output/cost-line.ts");
      return costLine(form, units);
    },
    async [Symbol.asyncDispose]() {
      // The call that opened the store reports why it could not be opened.
      const store = await opened?.catch(() => undefined);
      await store?.close();
    },
  };
}

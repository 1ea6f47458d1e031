/** `duroxide.config.ts`: the store, the handlers and the codec of a program, for the command line. */
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { AnyOrchestration, PayloadCodec, Provider } from "@duroxide-ts/core";
import type { RedactPayload } from "@duroxide-ts/core/stores";
import { usage } from "../errors/exit-code.ts";

/** A store as `--store` names it, an open provider, or a function that opens one. */
export type ProviderSource = string | Provider | Promise<Provider> | (() => Provider | Promise<Provider>);

/** The exports of a file of configuration: by these names, or as one default export. */
export interface DuroxideConfig {
  /** Used where neither `--store` nor `DUROXIDE_STORE` says which store. */
  readonly provider?: ProviderSource;
  /** Orchestrations for `replay`, the checks of inputs in `start`, and the forms for inputs in `dashboard`. */
  readonly orchestrations?: readonly AnyOrchestration[];
  /** Decodes payloads for display and encodes those of `start`, `raise` and `enqueue`. JSON by default. */
  readonly codec?: PayloadCodec;
  /** Replaces parts of payloads in `dashboard` and `mcp`. A `redact` of `dashboard` is for both where this is absent. */
  readonly redact?: RedactPayload;
  /** Options of `duroxide dashboard`. */
  readonly dashboard?: object;
}

/** A configuration, and where it was found. */
export interface Config extends DuroxideConfig {
  readonly file: string | undefined;
}

/** Not checked: a `redact` that is no function must be refused, not left out. */
export function redactOf({ redact, dashboard = {} }: DuroxideConfig): RedactPayload | undefined {
  return redact === undefined ? (dashboard as Pick<DuroxideConfig, "redact">).redact : redact;
}

const OPTIONS = { provider: true, orchestrations: true, codec: true, redact: true, dashboard: true } as const;

const NAMES = ["ts", "mts", "js", "mjs"].map((extension) => `duroxide.config.${extension}`);

/** Loads the given file, or the one in this folder. Throws a `CommandError` if it cannot be loaded. */
export async function loadConfig(given: string | undefined, folder: string): Promise<Config> {
  const file =
    given === undefined
      ? NAMES.map((name) => path.join(folder, name)).find((name) => existsSync(name))
      : path.resolve(folder, given);
  if (file === undefined) return { file: undefined };
  if (!existsSync(file))
    throw usage(`There is no file ${file}`, "--config names a duroxide.config.ts or .js");
  const { optionFault, optionList } = await import("@duroxide-ts/core/stores");
  let config: DuroxideConfig;
  let fault: string | undefined;
  try {
    const module = (await import(pathToFileURL(file).href)) as DuroxideConfig & { default?: DuroxideConfig };
    const { default: whole, ...named } = module;
    fault = optionFault(file, whole ?? named, optionList<DuroxideConfig>(OPTIONS));
    config = { ...named, ...whole };
  } catch (error) {
    throw usage(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  // A `redact` under another name would show everything.
  if (fault !== undefined) throw usage(fault);
  return { ...config, file };
}

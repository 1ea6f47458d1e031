/** A verb of the command line: its flags as data, and what it does. */
import type { Logger } from "@duroxide-ts/core/client";
import type { ExitCode } from "../errors/exit-code.ts";
import type { OutputForm } from "../output/form.ts";
import type { Config } from "../store/config.ts";
import type { OpenStore } from "../store/open-store.ts";
import type { StoreAccess } from "../store/store-name.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Flags, FlagValues } from "./flags.ts";

/** A verb before it is loaded. */
export interface VerbEntry {
  /** One line, for the list of verbs. */
  readonly summary: string;
  /** Heading under which the help lists it. */
  readonly group: "Look" | "Steer" | "Operate" | "Develop";
  load(): Promise<Verb>;
}

/** Verbs by name; a name of two words is a verb with a subverb. */
export type VerbTable = Readonly<Record<string, VerbEntry>>;

/** The argument of a verb. */
export interface Call<F extends Flags = Flags> {
  /** The arguments that are no flags. */
  readonly words: readonly string[];
  readonly flags: FlagValues<F>;
  readonly form: OutputForm;
  readonly terminal: Terminal;
  /** All verbs, for completion. */
  readonly verbs: VerbTable;
  /** Version of this package. */
  readonly version: string;
  /**
   * The store of the command line, opened by this call; closed at the end of the command. `logger` gets its warnings in
   * place of stderr.
   */
  store(access: StoreAccess, logger?: Logger): Promise<OpenStore>;
  /** Loads the exports of the file of configuration. */
  config(): Promise<Config>;
}

/** A verb as the parser and the help see it. */
export interface Verb {
  readonly name: string;
  /** Arguments in the help, such as `<id…>`; empty if it takes none. */
  readonly takes: string;
  readonly flags: Flags;
  /** Lines of help behind the flags. */
  readonly details?: string;
  /** Command lines without `duroxide`, with what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  run(call: Call): Promise<ExitCode>;
}

interface TypedVerb<F extends Flags> extends Omit<Verb, "run" | "flags"> {
  readonly flags: F;
  run(call: Call<F>): Promise<ExitCode>;
}

/** The type of the flags follows from their table. */
export function defineVerb<F extends Flags>(verb: TypedVerb<F>): Verb {
  return verb as unknown as Verb;
}

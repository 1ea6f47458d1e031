/**
 * The front of the repository's commands. It prints the usage for `--help` and `-h` (exit code 0), and refuses what a
 * command does not know with one sentence (exit code 2), before anything is started.
 */
import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";

const MISTAKE = 2;

type Flag = Pick<ParseArgsOptionDescriptor, "type" | "short" | "default">;

export interface Command<Flags extends Readonly<Record<string, Flag>>> {
  /** Call as the user types it, such as `npm run dev -- storm`. */
  readonly call: string;
  /** Text that `--help` prints below the call: what the command does, and its flags. */
  readonly help: string;
  readonly flags: Flags;
  /** Whether it takes words that are no flags. */
  readonly takesWords?: boolean;
  /** Whether what stands behind another `--` is for somebody else. */
  readonly passesOn?: boolean;
}

type ValueOf<F extends Flag> = F["type"] extends "boolean"
  ? boolean
  : F extends { readonly default: string }
    ? string
    : string | undefined;

export class CommandLine<Flags extends Readonly<Record<string, Flag>>> {
  readonly values: { readonly [Name in keyof Flags]: ValueOf<Flags[Name]> };
  readonly words: readonly string[];
  /** Words behind `--`, if the command passes them on. */
  readonly passedOn: readonly string[];
  readonly #call: string;

  private constructor({ call, flags, takesWords = false, passesOn = false }: Command<Flags>, args: string[]) {
    this.#call = call;
    const end = passesOn ? args.indexOf("--") : -1;
    this.passedOn = end < 0 ? [] : args.slice(end + 1);
    const { values, positionals } = this.#parse(end < 0 ? args : args.slice(0, end), flags);
    const off = Object.keys(flags).filter((name) => flags[name]?.type === "boolean");
    this.values = {
      ...Object.fromEntries(off.map((name) => [name, false])),
      ...values,
    } as typeof this.values;
    this.words = positionals;
    const [word] = positionals;
    if (word !== undefined && !takesWords) this.refuse(`there is no use for the word "${word}"`);
  }

  /** Ends the process where help is asked for, or where the line is wrong. */
  static read<const Flags extends Readonly<Record<string, Flag>>>(
    command: Command<Flags>,
    args: readonly string[] = process.argv.slice(2),
  ): CommandLine<Flags> {
    const end = args.indexOf("--");
    if ((end < 0 ? args : args.slice(0, end)).some((arg) => arg === "--help" || arg === "-h")) {
      process.stdout.write(`Usage: ${command.call}${command.help.trimEnd()}\n`);
      process.exit(0);
    }
    return new CommandLine(command, [...args]);
  }

  /** The value of a flag that is a number. */
  number(flag: keyof Flags & string, least: number): number {
    const text = String(this.values[flag]);
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= least) return value;
    return this.refuse(`--${flag} is ${JSON.stringify(text)}, but must be a number from ${least}`);
  }

  /** The value of a flag that is one of some names. */
  choice<const Name extends string>(flag: keyof Flags & string, names: readonly Name[]): Name {
    const value: unknown = this.values[flag];
    const found = names.find((name) => name === value);
    return found ?? this.refuse(`--${flag} is ${JSON.stringify(value)}, but must be ${listed(names)}`);
  }

  /** Says what is wrong with the line, and ends the process. */
  refuse(reason: string): never {
    process.stderr.write(`${this.#call}: ${reason} (see ${withHelp(this.#call)}).\n`);
    process.exit(MISTAKE);
  }

  #parse(args: string[], flags: Flags): { values: object; positionals: string[] } {
    try {
      return parseArgs({ args, options: { ...flags }, allowPositionals: true });
    } catch (error) {
      const { message } = error as Error;
      const [first = message] = message.split(/\. |\n/);
      return this.refuse(`${first.charAt(0).toLowerCase()}${first.slice(1).replace(/\.$/, "")}`);
    }
  }
}

function withHelp(call: string): string {
  return call.startsWith("npm ") && !call.includes(" -- ") ? `${call} -- --help` : `${call} --help`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** Help texts, from the table of verbs and the flags of each. */
import { COMMON_FLAGS, type Flag, type Flags } from "./command/flags.ts";
import type { Verb } from "./command/verb.ts";
import { VERBS } from "./verb-table.ts";

const GROUPS = ["Look", "Steer", "Operate", "Develop"] as const;

/** The list of verbs. */
export function overview(): string {
  const width = Math.max(...Object.keys(VERBS).map((name) => name.length));
  const groups = GROUPS.map((group) => {
    const lines = Object.entries(VERBS)
      .filter(([, entry]) => entry.group === group)
      .map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
    return lines.length === 0 ? "" : `${group}\n${lines.join("\n")}\n\n`;
  });
  return `Usage: duroxide VERB [arguments] [flags]

${groups.join("")}Flags of every verb
${flagLines(COMMON_FLAGS)}

The store comes from --store, DUROXIDE_STORE, or duroxide.config.ts of this folder.
duroxide VERB --help explains a verb, with examples.
`;
}

/** The help of one verb. */
export function verbHelp({ name, takes, flags, details, examples }: Verb): string {
  const summary = VERBS[name]?.summary ?? "";
  const lines = examples.map(([line, meaning]) => `  duroxide ${line}\n      ${meaning}`);
  const own = Object.keys(flags).length === 0 ? "" : `Flags\n${flagLines(flags)}\n\n`;
  return `Usage: duroxide ${name}${takes === "" ? "" : ` ${takes}`} [flags]

${summary.charAt(0).toUpperCase()}${summary.slice(1)}.

${details === undefined ? "" : `${details.trim()}\n\n`}${own}Flags of every verb
${flagLines(COMMON_FLAGS)}

Examples
${lines.join("\n")}
`;
}

function flagLines(flags: Flags): string {
  const rows = Object.entries(flags).map(([name, flag]) => [left(name, flag), flag.help] as const);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`).join("\n");
}

function left(name: string, flag: Flag): string {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  return `${short}--${name}${flag.kind === "switch" ? "" : ` ${flag.value}`}`;
}

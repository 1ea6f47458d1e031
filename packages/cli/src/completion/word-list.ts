/** The words that a shell completes: verbs, their flags, and the values of flags with choices. */
import { COMMON_FLAGS, type Flag } from "../command/flags.ts";
import type { VerbTable } from "../command/verb.ts";

export interface CompletedFlag {
  /** Name with its dashes. */
  readonly name: string;
  readonly help: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

export interface CompletedVerb {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
}

export async function readWordList(verbs: VerbTable): Promise<readonly CompletedVerb[]> {
  return Promise.all(
    Object.entries(verbs).map(async ([name, { summary, load }]) => {
      const { flags } = await load();
      return { name, summary, flags: Object.entries({ ...flags, ...COMMON_FLAGS }).map(completed) };
    }),
  );
}

function completed([name, flag]: readonly [string, Flag]): CompletedFlag {
  const takesValue = flag.kind !== "switch";
  const choices = "choices" in flag ? (flag.choices ?? []) : [];
  return { name: `--${name}`, help: flag.help, takesValue, choices };
}

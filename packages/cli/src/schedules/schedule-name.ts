/** The name of a schedule on the command line. */
import { usage } from "../errors/exit-code.ts";

/** Throws a `CommandError` unless there is one name. */
export function scheduleName(verb: string, words: readonly string[]): string {
  const [name, ...more] = words;
  if (name !== undefined && more.length === 0) return name;
  throw usage(`It takes the name of one schedule: duroxide schedules ${verb} <name>`);
}

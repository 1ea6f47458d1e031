/** The arguments of a verb that are no flags. */
import { usage } from "../errors/exit-code.ts";

/** The one id that the verb takes. */
export function oneId(words: readonly string[], form: string): string {
  const [id, ...more] = words;
  if (id === undefined || more.length > 0) throw usage(`It takes one id: duroxide ${form}`);
  return id;
}

/** A text of a request that must be one of a few. */
import { Refused } from "@duroxide-ts/core/web";

/** Refused with the list for any other. `what` begins the message. */
export function choiceIn<Choice extends string>(
  what: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const list = choices.join(", ");
  throw new Refused(400, "invalid-input", `${what} must be one of ${list}; got ${JSON.stringify(text)}`);
}

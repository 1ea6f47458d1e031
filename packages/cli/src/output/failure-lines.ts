/** A stored failure for people: its message, and the frames of its stack. */
import { cleanUpFailureOf, displayMessage, type ErrorDetails } from "@duroxide-ts/core/stores";

const MOST_FRAMES = 6;

export function failureLines(details: ErrorDetails): readonly string[] {
  const lines = displayMessage(details).split("\n");
  if (!("Application" in details)) return lines;
  const { thrown } = details.Application;
  const name = thrown === undefined || thrown.name === "Error" ? "" : `${thrown.name}: `;
  const frames = (thrown?.stack?.split("\n").slice(0, MOST_FRAMES) ?? []).map(
    (frame) => `    ${frame.trim()}`,
  );
  const left = cleanUpFailureOf(details);
  // What was thrown is then the error of the clean-up.
  if (left !== undefined) return [...lines, ...`clean-up failed: ${name}${left}`.split("\n"), ...frames];
  const [first = "", ...rest] = lines;
  return [`${name}${first}`, ...rest, ...frames];
}

/** Its message, without what follows the first line. */
export function failureLine(details: ErrorDetails): string {
  return displayMessage(details).split("\n")[0] ?? "";
}

/** A stored failure for people: its message, and the frames of its stack. */
import { displayMessage, type ErrorDetails } from "@duroxide-ts/core/stores";

const MOST_FRAMES = 6;

export function failureLines(details: ErrorDetails): readonly string[] {
  const lines = displayMessage(details).split("\n");
  if (!("Application" in details)) return lines;
  const { thrown } = details.Application;
  const name = thrown === undefined || thrown.name === "Error" ? "" : `${thrown.name}: `;
  const [first = "", ...rest] = lines;
  const frames = thrown?.stack?.split("\n").slice(0, MOST_FRAMES) ?? [];
  return [`${name}${first}`, ...rest, ...frames.map((frame) => `    ${frame.trim()}`)];
}

/** Its message, without what follows the first line. */
export function failureLine(details: ErrorDetails): string {
  return displayMessage(details).split("\n")[0] ?? "";
}

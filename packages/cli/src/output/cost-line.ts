/** The cost of a command that reads, for stderr: the lists of stdout stay as programs read them. */
import type { OutputForm } from "./form.ts";

/** `31.4 RU`, with JSON `{"requestUnits":31.4}`; empty with ids, which go to other verbs. */
export function costLine(form: OutputForm, requestUnits: number): string {
  if (form === "ids") return "";
  const rounded = requestUnits.toFixed(1);
  return form === "table" ? `${rounded} RU\n` : `{"requestUnits":${rounded}}\n`;
}

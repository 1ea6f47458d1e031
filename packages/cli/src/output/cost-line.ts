/** What a command that reads has cost, for stderr: the lists of stdout stay as programs read them. */
import type { OutputForm } from "./form.ts";

/** `31.4 RU`, with JSON `{"requestUnits":31.4}`; empty where nothing is charged, and with ids, which go to other verbs. */
export function costLine(form: OutputForm, requestUnits: number | undefined): string {
  if (requestUnits === undefined || form === "ids") return "";
  const rounded = requestUnits.toFixed(1);
  return form === "table" ? `${rounded} RU\n` : `{"requestUnits":${rounded}}\n`;
}

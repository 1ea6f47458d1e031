/** One answer in the form that was asked for. */
import type { Terminal } from "../terminal/terminal.ts";
import type { OutputForm } from "./form.ts";
import { idLine } from "./id-line.ts";
import { formatJson, formatJsonLine } from "./json.ts";
import { type NextStep, nextLine } from "./next-line.ts";

interface Answer {
  /** Value for `-o json` and `jsonl`. */
  readonly value: object;
  /** Id for `-o ids`; without one the answer is a line of JSON there too. */
  readonly id?: string;
  /** Lines for people, with their ends. */
  readonly text: string;
  readonly next?: readonly NextStep[];
}

export interface AnswerCall {
  readonly form: OutputForm;
  readonly terminal: Terminal;
}

export function printAnswer({ form, terminal }: AnswerCall, { value, id, text, next = [] }: Answer): void {
  if (form === "table") {
    terminal.write(text);
    writeNext(terminal, next);
  } else if (form === "ids" && id !== undefined) terminal.write(`${idLine(id)}\n`);
  else terminal.write((form === "json" ? formatJson : formatJsonLine)(value));
}

/** Writes the hint of the next step; nothing if no step can be pasted. */
export function writeNext(terminal: Terminal, steps: readonly NextStep[]): void {
  const next = nextLine(steps);
  if (next !== "") terminal.write(`${terminal.style("dim", next)}\n`);
}

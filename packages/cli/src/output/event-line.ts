/** An event as one line. */
import type { HistoryEvent, PayloadCodec } from "@duroxide-ts/core";
import { displayMessage, eventFields } from "@duroxide-ts/core/stores";
import type { Style, Terminal } from "../terminal/terminal.ts";
import { safeText } from "../text/safe-text.ts";
import { exactTime } from "../text/times.ts";
import { payloadLine } from "./payload.ts";
import { fit } from "./table.ts";

const PAYLOADS = new Set(["input", "output", "result", "data", "status", "value"]);

export function eventLine(event: HistoryEvent, codec: PayloadCodec | undefined, terminal: Terminal): string {
  const { event_id: id, source_event_id: source, timestamp_ms: atMs, type } = event;
  const answers = source === null ? "" : ` #${source}`;
  const head = `${String(id).padStart(5)}  ${exactTime(Number(atMs))}  `;
  const rest = fields(event, codec);
  const text = safeText(`${type}${answers}${rest === "" ? "" : `  ${rest}`}`);
  const style = styleOf(type);
  const shown = fit(text, terminal, head.length);
  return terminal.style("dim", head) + (style === undefined ? shown : terminal.style(style, shown));
}

function fields(event: HistoryEvent, codec: PayloadCodec | undefined): string {
  return eventFields(event)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      if (name === "details" && "details" in event) return `error=${displayMessage(event.details)}`;
      if (name.endsWith("_ms") && typeof value === "number")
        return `${name.slice(0, -3)}=${exactTime(value)}`;
      if (PAYLOADS.has(name) && typeof value === "string") return `${name}=${payloadLine(value, codec, 120)}`;
      return `${name}=${typeof value === "object" ? JSON.stringify(value, big) : String(value)}`;
    })
    .join(" ");
}

function big(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function styleOf(type: HistoryEvent["type"]): Style | undefined {
  if (type.endsWith("Failed")) return "red";
  if (type.endsWith("Cancelled") || type.includes("CancelRequested")) return "yellow";
  return type === "OrchestrationCompleted" ? "green" : undefined;
}

/** Exports the history of an instance as text for `replay`, with sensitive payloads replaced. */
import type { AnyClient } from "../../client/any-client.ts";
import { Client } from "../../client/client.ts";
import type { Provider } from "../../contract/provider.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { encodeEvent } from "../../wire/codec.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { type Redact, redactEvents } from "./redact.ts";

/** The options of an export. */
export interface ExportOptions {
  /** Replaces payload texts; stacks of failures are then left out. Without it the texts are exported unchanged. */
  readonly redact?: Redact;
}

const OPTIONS: OptionList = optionList<ExportOptions>({ redact: true });

/**
 * All stored executions of the instance as JSON for `replay`, with one event a line. InvalidInputError for an unknown
 * instance or option. Only reads.
 */
export async function exportHistory(
  source: Pick<AnyClient, "admin"> | Provider,
  instanceId: string,
  options: ExportOptions = {},
): Promise<string> {
  checkOptions("exportHistory", options, OPTIONS);
  const { redact } = options;
  // A provider has an `admin` of its own, with other calls.
  const { admin } = "enqueueForOrchestrator" in source ? new Client(source) : source;
  const lines: string[] = [];
  for (const executionId of await admin.executions(instanceId)) {
    const events: readonly HistoryEvent[] = await admin.history(instanceId, executionId);
    lines.push(...(redact === undefined ? events : redactEvents(events, redact)).map(encodeEvent));
  }
  if (lines.length === 0) {
    throw new InvalidInputError(`instance "${instanceId}" has no history in this store; look for its id`);
  }
  return `[\n${lines.join(",\n")}\n]\n`;
}

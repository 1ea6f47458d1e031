/** The history of an instance as text that `replay` reads, without what must not lie in a repository. */
import { Client } from "../../client/client.ts";
import type { Provider } from "../../contract/provider.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { encodeEvent } from "../../wire/codec.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import { type Redact, redactEvents } from "./redact.ts";

/** How a history is exported. */
export interface ExportOptions {
  /** Replaces payload texts; stacks of failures are left out then. Without it the texts are exported as they are. */
  readonly redact?: Redact;
}

/**
 * All executions of the instance that the store has, as JSON with one event a line: what `replay` takes. InvalidInputError
 * for an unknown instance; ProviderError where the store has no administration. Reads only.
 */
export async function exportHistory(
  source: Client | Provider,
  instanceId: string,
  { redact }: ExportOptions = {},
): Promise<string> {
  const { admin } = source instanceof Client ? source : new Client(source);
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

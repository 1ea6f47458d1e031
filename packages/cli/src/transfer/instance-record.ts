/** An instance as a line of JSON: what an export writes and an import reads. Events are the texts of the store. */
import { checkInstanceId, decodeEvent, encodeEvent, type HistoryEvent } from "@duroxide-ts/core/stores";
import { usage } from "../errors/exit-code.ts";
import type { OpenStore } from "../store/open-store.ts";

export interface InstanceRecord {
  readonly instanceId: string;
  /** The histories of the stored executions, oldest first. */
  readonly executions: readonly (readonly HistoryEvent[])[];
}

/** The mark of the format, in every line. */
const FORMAT = "duroxide-instance-1";

/** Rejects with `instance-not-found`. */
export async function readRecord({ client }: OpenStore, instanceId: string): Promise<InstanceRecord> {
  await client.admin.info(instanceId);
  const executions: (readonly HistoryEvent[])[] = [];
  for (const executionId of await client.admin.executions(instanceId)) {
    executions.push(await client.admin.history(instanceId, executionId));
  }
  return { instanceId, executions };
}

export function recordLine({ instanceId, executions }: InstanceRecord): string {
  // The text of an event, and not its value: JSON.parse would round integers above 2^53.
  return JSON.stringify({
    format: FORMAT,
    instanceId,
    executions: executions.map((it) => it.map(encodeEvent)),
  });
}

/** Throws a `CommandError` for a line that is none of an export. */
export function parseRecord(line: string, number: number): InstanceRecord {
  try {
    const { format, instanceId, executions } = JSON.parse(line) as {
      readonly format?: unknown;
      readonly instanceId?: unknown;
      readonly executions?: unknown;
    };
    if (format === FORMAT && typeof instanceId === "string" && Array.isArray(executions)) {
      checkInstanceId(instanceId);
      return {
        instanceId,
        executions: executions.map((events: readonly string[]) => events.map(decodeEvent)),
      };
    }
  } catch (error) {
    throw usage(`Line ${number} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw usage(`Line ${number} is no line of duroxide export`);
}

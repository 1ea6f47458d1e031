/** An instance as a line of JSON: what an export writes and an import reads. Events are the texts of the store. */
import { checkInstanceId, decodeEvent, encodeEvent, type HistoryEvent } from "@duroxide-ts/core/stores";
import { usage } from "../errors/exit-code.ts";
import type { OpenStore } from "../store/open-store.ts";
import { recordFault } from "./record-check.ts";
import { areStreams, readStreams, type StreamRecord } from "./stream-record.ts";

export interface InstanceRecord {
  readonly instanceId: string;
  /** The histories of the stored executions, oldest first. */
  readonly executions: readonly (readonly HistoryEvent[])[];
  /** Absent where it has none. */
  readonly streams?: readonly StreamRecord[];
}

/** The mark of the format, in every line. */
const FORMAT = "duroxide-instance-1";

/** Rejects with `instance-not-found`. */
export async function readRecord(
  { client, provider }: Pick<OpenStore, "client" | "provider">,
  instanceId: string,
): Promise<InstanceRecord> {
  await client.admin.info(instanceId);
  const executions: (readonly HistoryEvent[])[] = [];
  for (const executionId of await client.admin.executions(instanceId)) {
    executions.push(await provider.readHistory(instanceId, executionId));
  }
  const streams = await readStreams(provider, instanceId);
  return { instanceId, executions, ...(streams.length > 0 && { streams }) };
}

export function recordLine({ instanceId, executions, streams }: InstanceRecord): string {
  // The text of an event, and not its value: JSON.parse would round integers above 2^53.
  return JSON.stringify({
    format: FORMAT,
    instanceId,
    executions: executions.map((it) => it.map(encodeEvent)),
    ...(streams !== undefined && { streams }),
  });
}

/** Throws a `CommandError` for a line that is none of an export, or has what no runtime writes. */
export function parseRecord(line: string, number: number): InstanceRecord {
  const record = readRecordLine(line, number);
  if (record === undefined) throw usage(`Line ${number} is no line of duroxide export`);
  const fault = recordFault(record.instanceId, record.executions);
  if (fault === undefined) return record;
  throw usage(`Line ${number} holds no instance that duroxide export has written: ${fault}`);
}

function readRecordLine(line: string, number: number): InstanceRecord | undefined {
  // V8 takes half a minute for a hundred million brackets.
  if (!line.includes(FORMAT)) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    if (!isRecordLine(parsed)) return undefined;
    const { instanceId, executions, streams } = parsed;
    checkInstanceId(instanceId);
    return {
      instanceId,
      executions: executions.map((events) => events.map(decodeEvent)),
      ...(streams !== undefined && { streams }),
    };
  } catch (error) {
    throw usage(`Line ${number} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface RecordLine {
  readonly format: typeof FORMAT;
  readonly instanceId: string;
  readonly executions: readonly (readonly string[])[];
  readonly streams?: readonly StreamRecord[];
}

function isRecordLine(value: unknown): value is RecordLine {
  if (typeof value !== "object" || value === null) return false;
  const { format, instanceId, executions, streams } = value as Readonly<Record<keyof RecordLine, unknown>>;
  return (
    format === FORMAT &&
    typeof instanceId === "string" &&
    Array.isArray(executions) &&
    executions.every(
      (events) => Array.isArray(events) && events.every((event) => typeof event === "string"),
    ) &&
    (streams === undefined || areStreams(streams))
  );
}

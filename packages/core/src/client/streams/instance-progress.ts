/** The progress of the steps of an instance: `handle.progress`. */
import type { StoredProgress } from "../../contract/progress.ts";
import type { Provider } from "../../contract/provider.ts";
import { numberedStep } from "../../contract/stream-attempts.ts";
import { noStreams } from "../../contract/streams.ts";
import type { Progress, ProgressOfStep } from "../../define/progress.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";

/** The last report of each step, the latest first. */
export async function progressOf(
  provider: Provider,
  codec: NamingCodec,
  instanceId: string,
): Promise<readonly ProgressOfStep[]> {
  if (provider.readProgress === undefined) throw noStreams("readProgress", provider.name);
  const reports = await provider.readProgress(instanceId);
  return [...reports]
    .sort((a, b) => b.atMs - a.atMs)
    .map((report) => ({
      step: stepOf(report, reports),
      value: codec.decode(report.value) as Progress,
      atMs: report.atMs,
      attempt: report.attempt,
    }));
}

/** The first call of a name has the name, the others its number too. */
function stepOf(report: StoredProgress, reports: readonly StoredProgress[]): string {
  const { name, call } = report;
  const isEarlier = (other: StoredProgress): boolean => other.name === name && isBefore(other.call, call);
  return reports.some(isEarlier) ? numberedStep(report) : name;
}

/** Calls are numbered in their execution, those of an execution after the first with it in front. */
function isBefore(call: string, other: string): boolean {
  const [a, b] = [call, other].map((text) => `1:${text}`.split(":").slice(-2).map(Number));
  const [[execution = 0, id = 0], [otherExecution = 0, otherId = 0]] = [a ?? [], b ?? []];
  return execution === otherExecution ? id < otherId : execution < otherExecution;
}

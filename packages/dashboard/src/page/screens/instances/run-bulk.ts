/** Reads the progress of an action on many instances, line by line. */
import { postResponse } from "../../browser/api.ts";
import type { BulkProgress, BulkRequest } from "../../shapes/instances.ts";

/** Resolves when the action has ended, also when it was aborted. */
export async function runBulk(
  request: BulkRequest,
  onProgress: (progress: BulkProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await postResponse("bulk", request, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read()) {
      const lines = `${rest}${chunk.value}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onProgress(JSON.parse(line) as BulkProgress);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Whether this release supports the execution. */
import type { FetchedOrchestration } from "../../contract/provider.ts";
import type { HistoryIndex } from "../../replay/history/history-index.ts";
import { inRange, parseSemver, SUPPORTED_VERSIONS } from "../../wire/version.ts";
import type { RuntimeSettings } from "../options/options.ts";
import type { BlockedLog } from "./blocked-log.ts";

/** A stamp that cannot be read refuses nothing: other programs may write it, and the code may still fit. */
export function isCompatible(
  { settings, blockedLog }: { readonly settings: RuntimeSettings; readonly blockedLog: BlockedLog },
  { item, attemptCount }: FetchedOrchestration,
  { started }: HistoryIndex,
): boolean {
  if (started === undefined) return true;
  const { logger } = settings;
  const stamp = parseSemver(started.duroxide_version);
  if (stamp !== undefined && inRange(stamp, SUPPORTED_VERSIONS)) return true;
  const fields = { instance_id: item.instanceId, duroxide_version: started.duroxide_version };
  if (stamp === undefined) {
    logger.warn(
      { event: "version_stamp_invalid", ...fields },
      "the version stamp cannot be read; continuing",
    );
    return true;
  }
  const detail = `the execution was begun by version ${started.duroxide_version}, which is not supported here; run a release that supports it`;
  blockedLog.tell(item.instanceId, attemptCount, detail, {
    event: "orchestration_incompatible",
    ...fields,
  });
  return false;
}

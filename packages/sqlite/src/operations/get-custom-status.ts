/** The custom status, if it is newer than the caller's version (docs/reference/provider-contract.md §14). */
import { type CustomStatus, checkSeenVersion } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromOptionalText, toText } from "../rows/codec.ts";

const NEWER = `SELECT c.custom_status, c.version FROM instances AS i
  JOIN custom_statuses AS c ON c.instance_key = i.instance_key
  WHERE i.instance_id = ? AND i.orchestration_name IS NOT NULL AND c.version > ?`;

export function getCustomStatus(
  db: Database,
  instanceId: string,
  lastSeenVersion: number,
): CustomStatus | undefined {
  checkSeenVersion("getCustomStatus", lastSeenVersion);
  const row = db.get<{ custom_status: string | null; version: number }>(
    NEWER,
    toText(instanceId),
    lastSeenVersion,
  );
  return row === undefined
    ? undefined
    : { status: fromOptionalText(row.custom_status), version: row.version };
}

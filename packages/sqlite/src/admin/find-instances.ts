/** The instances that match a filter of bulk deletion or pruning (docs/reference/provider-contract.md §16). */
import { checkInstanceFilter, type InstanceFilter } from "@duroxide-ts/core/stores";
import type { Database } from "../connection/database.ts";
import { fromText, toText } from "../rows/codec.ts";

const DEFAULT_LIMIT = 1_000;

/** A child whose parent does not exist is a root too. */
const IS_ROOT = `(parent_instance_id IS NULL OR NOT EXISTS (SELECT 1 FROM instances AS parent
  WHERE parent.instance_id = instances.parent_instance_id AND parent.orchestration_name IS NOT NULL))`;

const FINISHED_ROOTS = `SELECT instance_id FROM instances
  WHERE completed_at < ? AND orchestration_name IS NOT NULL AND ${IS_ROOT} ORDER BY completed_at LIMIT ?`;

const FINISHED = `SELECT instance_id FROM instances
  WHERE completed_at < ? AND orchestration_name IS NOT NULL ORDER BY completed_at LIMIT ?`;

const ALL = `SELECT instance_id FROM instances WHERE orchestration_name IS NOT NULL
  ORDER BY instance_key LIMIT ?`;

const ONE = `SELECT ${IS_ROOT} AS is_root, completed_at FROM instances
  WHERE instance_id = ? AND orchestration_name IS NOT NULL`;

interface Candidate {
  readonly is_root: number;
  readonly completed_at: number | null;
}

/** Roots whose current execution has ended, oldest end first. */
export function findFinishedRoots(db: Database, filter: InstanceFilter): string[] {
  checkInstanceFilter("deleteInstances", filter);
  const { instanceIds, completedBeforeMs = Number.MAX_SAFE_INTEGER, limit = DEFAULT_LIMIT } = filter;
  if (instanceIds === undefined) return idsOf(db, FINISHED_ROOTS, completedBeforeMs, limit);
  return among(db, instanceIds, limit, ({ is_root: isRoot, completed_at: end }) => {
    return isRoot === 1 && end !== null && end < completedBeforeMs;
  });
}

/** Instances of any status; a running one has no completion time, so a condition on it never matches. */
export function findInstances(db: Database, filter: InstanceFilter): string[] {
  checkInstanceFilter("pruneInstances", filter);
  const { instanceIds, completedBeforeMs, limit = DEFAULT_LIMIT } = filter;
  if (instanceIds !== undefined) {
    return among(db, instanceIds, limit, ({ completed_at: end }) => {
      return completedBeforeMs === undefined || (end !== null && end < completedBeforeMs);
    });
  }
  if (completedBeforeMs === undefined) return idsOf(db, ALL, limit);
  return idsOf(db, FINISHED, completedBeforeMs, limit);
}

function among(
  db: Database,
  instanceIds: readonly string[],
  limit: number,
  matches: (candidate: Candidate) => boolean,
): string[] {
  const found: string[] = [];
  for (const id of new Set(instanceIds)) {
    if (found.length >= limit) break;
    const candidate = db.get<Candidate>(ONE, toText(id));
    if (candidate !== undefined && matches(candidate)) found.push(id);
  }
  return found;
}

function idsOf(db: Database, sql: string, ...values: number[]): string[] {
  return db.all<{ instance_id: string }>(sql, ...values).map((row) => fromText(row.instance_id));
}

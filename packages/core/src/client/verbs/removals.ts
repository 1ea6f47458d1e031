/**
 * Deletions, prunings and changes of dead letters. They leave nothing that could hold who did it and why, so the log is
 * their record: one line at `info` for each call that changed something.
 */
import type {
  BulkOptions,
  DeleteOptions,
  DeleteResult,
  PruneOptions,
  PruneResult,
} from "../../contract/admin.ts";
import { checkBulk, checkPruneOptions } from "../../contract/admin-arguments.ts";
import { requirePlainObject } from "../../contract/argument-checks.ts";
import { ProviderError } from "../../contract/provider-error.ts";
import type { InstanceFilter } from "../../contract/queries.ts";
import type { LogFields } from "../../define/logger.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { runRemoved } from "../../wire/scheduled.ts";
import { refuseSchedule } from "../refuse-schedule.ts";
import type { VerbTools } from "./revising.ts";
import {
  type BulkFilter,
  BY_HAND,
  type ByHand,
  checkRecord,
  type DeleteByHand,
  type PruneByHand,
} from "./verb-options.ts";

const DELETE: OptionList = optionList<DeleteByHand>({ force: true, by: true, reason: true });

export async function deleteOne(tools: VerbTools, id: string, options: DeleteByHand): Promise<DeleteResult> {
  checkOptions("admin.delete", options, DELETE);
  checkRecord("admin.delete", options);
  await refuseSchedule("delete", tools.admin, id);
  const { force } = options;
  const only: DeleteOptions = force === undefined ? {} : { force };
  const deleted = tools.admin.deleteInstance(id, only);
  const result = await logged(tools, options, "instance_deleted", { instance_id: id }, deleted);
  if (force === true) await tellSchedule(tools, id);
  return result;
}

/** A run that is deleted while it runs tells its schedule nothing. */
async function tellSchedule({ provider }: VerbTools, instanceId: string): Promise<void> {
  const removed = runRemoved(instanceId);
  if (removed !== undefined) await provider.enqueueForOrchestrator(removed, 0, { ifMissing: "fail" });
}

export async function deleteMany(
  tools: VerbTools,
  filter: BulkFilter,
  options: ByHand,
): Promise<DeleteResult> {
  const { conditions, bulk } = withoutLimit("deleteInstances", filter);
  checkBulk("deleteInstances", conditions, bulk);
  checkOptions("admin.deleteAll", options, BY_HAND);
  checkRecord("admin.deleteAll", options);
  const deleted = tools.admin.deleteInstances(conditions, bulk);
  return logged(tools, options, "instances_deleted", { filter }, deleted);
}

export async function pruneOne(tools: VerbTools, id: string, options: PruneByHand): Promise<PruneResult> {
  const only = withoutRecord(options);
  checkPruneOptions("pruneInstances", only);
  checkRecord("admin.prune", options);
  await refuseSchedule("prune", tools.admin, id);
  const pruned = tools.admin.pruneInstances({ instanceIds: [id] }, only).then((result) => {
    if (result.instancesProcessed === 0) throw ProviderError.notFound("pruneInstances", id);
    return result;
  });
  return logged(tools, options, "instance_pruned", { instance_id: id }, pruned);
}

export async function pruneMany(
  tools: VerbTools,
  filter: BulkFilter,
  options: PruneByHand,
): Promise<PruneResult> {
  const { conditions, bulk } = withoutLimit("pruneInstances", filter);
  checkBulk("pruneInstances", conditions, bulk);
  // Before it is copied, because a copy of any value is an object.
  const only = withoutRecord(options);
  checkPruneOptions("pruneInstances", only);
  checkRecord("admin.pruneAll", options);
  const pruned = tools.admin.pruneInstances(conditions, { ...only, ...bulk });
  return logged(tools, options, "instances_pruned", { filter }, pruned);
}

/** `false` for an unknown id. */
export async function changeDeadLetter(
  tools: VerbTools,
  verb: "requeueDeadLetter" | "dropDeadLetter",
  id: string,
  options: ByHand,
): Promise<boolean> {
  checkOptions(`admin.${verb}`, options, BY_HAND);
  checkRecord(`admin.${verb}`, options);
  const isRequeued = verb === "requeueDeadLetter";
  if (!(await tools.admin.settleDeadLetter(id, isRequeued ? "requeue" : "drop"))) return false;
  log(tools, options, isRequeued ? "dead_letter_requeued" : "dead_letter_dropped", { dead_letter: id });
  return true;
}

/** Checks the filter before it is copied, because a copy of any object is a plain one. */
function withoutLimit(
  operation: string,
  filter: BulkFilter,
): {
  readonly conditions: InstanceFilter;
  readonly bulk: BulkOptions;
} {
  requirePlainObject(operation, "the filter", filter);
  const { limit, ...conditions } = filter;
  return { conditions, bulk: limit === undefined ? {} : { limit } };
}

/** The store's own options. Its check refuses other names, and what is no object. */
function withoutRecord(options: PruneByHand): PruneOptions {
  if (typeof options !== "object" || options === null) return options;
  const { by: _by, reason: _reason, ...only } = options;
  return only;
}

async function logged<Result extends DeleteResult | PruneResult>(
  tools: VerbTools,
  record: ByHand,
  event: string,
  fields: LogFields,
  change: Promise<Result>,
): Promise<Result> {
  const result = await change;
  log(tools, record, event, { ...fields, ...countsOf(result) });
  return result;
}

/** `instancesDeleted` as `instances_deleted`: the fields of log entries have such names. */
function countsOf(result: DeleteResult | PruneResult): LogFields {
  const toField = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(result).map(([name, count]) => [toField(name), count]));
}

function log({ logger }: VerbTools, { by, reason }: ByHand, event: string, fields: LogFields): void {
  logger.info({ event, by, reason, ...fields }, `${event.replaceAll("_", " ")} by hand`);
}

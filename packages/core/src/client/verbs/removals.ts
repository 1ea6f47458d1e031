/**
 * Deletions, prunings and changes of dead letters. They leave nothing that could hold who did it and why, so the log is
 * their record: one line at `info` for each call that changed something.
 */
import type {
  DeleteOptions,
  DeleteResult,
  InstanceFilter,
  PruneOptions,
  PruneResult,
} from "../../contract/admin.ts";
import { checkInstanceFilter, checkPruneOptions } from "../../contract/admin-arguments.ts";
import type { LogFields } from "../../define/logger.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { queriesOf } from "./queries-of.ts";
import type { VerbTools } from "./revising.ts";
import { type ByHand, type DeleteByHand, type PruneByHand, recordFault } from "./verb-options.ts";

const BY_HAND: OptionList = optionList<ByHand>({ by: true, reason: true });
const DELETE: OptionList = optionList<DeleteByHand>({ force: true, by: true, reason: true });

export async function deleteOne(tools: VerbTools, id: string, options: DeleteByHand): Promise<DeleteResult> {
  const record = recordOf("admin.delete", options, DELETE);
  const { force } = options;
  const only: DeleteOptions = force === undefined ? {} : { force };
  return logged(tools, record, "instance_deleted", { instance_id: id }, tools.admin.deleteInstance(id, only));
}

export async function deleteMany(
  tools: VerbTools,
  filter: InstanceFilter,
  options: ByHand,
): Promise<DeleteResult> {
  checkInstanceFilter("deleteInstances", filter);
  const record = recordOf("admin.deleteAll", options, BY_HAND);
  return logged(tools, record, "instances_deleted", { filter }, tools.admin.deleteInstances(filter));
}

export async function pruneOne(tools: VerbTools, id: string, options: PruneByHand): Promise<PruneResult> {
  const { only, record } = pruneOptionsOf("prune", options);
  checkPruneOptions("pruneExecutions", only);
  return logged(tools, record, "instance_pruned", { instance_id: id }, tools.admin.pruneExecutions(id, only));
}

export async function pruneMany(
  tools: VerbTools,
  filter: InstanceFilter,
  options: PruneByHand,
): Promise<PruneResult> {
  checkInstanceFilter("pruneInstances", filter);
  const { only, record } = pruneOptionsOf("pruneAll", options);
  checkPruneOptions("pruneInstances", only);
  return logged(tools, record, "instances_pruned", { filter }, tools.admin.pruneInstances(filter, only));
}

/** `false` for an unknown id, and for a store that sets nothing aside. */
export async function changeDeadLetter(
  tools: VerbTools,
  verb: "requeueDeadLetter" | "dropDeadLetter",
  id: string,
  options: ByHand,
): Promise<boolean> {
  const record = recordOf(`admin.${verb}`, options, BY_HAND);
  const event = verb === "requeueDeadLetter" ? "dead_letter_requeued" : "dead_letter_dropped";
  if ((await queriesOf(tools, verb)[verb]?.(id)) !== true) return false;
  log(tools, record, event, { dead_letter: id });
  return true;
}

/** InvalidInputError for an unknown option, and for an operator or a reason that is no text. */
function recordOf(where: string, options: ByHand, known: OptionList): ByHand {
  checkOptions(where, options, known);
  const { by, reason } = options;
  const fault = recordFault(where, { by, reason });
  if (fault !== undefined) throw new InvalidInputError(fault);
  return { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
}

/** The store's check refuses other names than its own, and what is no object; so the record is taken out first. */
function pruneOptionsOf(call: string, options: PruneByHand): { only: PruneOptions; record: ByHand } {
  if (typeof options !== "object" || options === null) return { only: options, record: {} };
  const { by, reason, ...only } = options;
  const given = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
  return { only, record: recordOf(`admin.${call}`, given, BY_HAND) };
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

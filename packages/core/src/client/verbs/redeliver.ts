/**
 * Delivers a message again that was set aside, because it did not fit the schema of its wait (docs/decisions/messages.md).
 *
 * - redeliver.RD1: A message is sent once, however often this is asked for: while the new one is on its way the store knows
 *   its id, and later the arrival in history names the message that it replaces.
 */
import { checkInstanceId } from "../../define/instance-id.ts";
import { InvalidInputError, RefusedError } from "../../errors/duroxide-error.ts";
import { wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList, shown } from "../../options/option-list.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { timelineOf } from "../../timeline/timeline-of.ts";
import { messageOf } from "../../verbs/resent.ts";
import type { HistoryEvent, MessagePlace } from "../../wire/event.ts";
import { sendMessage } from "../send-message.ts";
import type { VerbTools } from "./revising.ts";
import { type ByHand, recordFault } from "./verb-options.ts";

/** The options of `Admin.redeliver`: which message, and what is delivered. */
export interface RedeliverOptions extends ByHand {
  /** `id` of the message in `setAside` of the timeline: its event. */
  readonly eventId: number;
  /** The execution that has set it aside; the current one by default. */
  readonly executionId?: number;
  /** The corrected message. By default the stored one, for code whose schema takes it now. */
  readonly message?: unknown;
  /** Delivers it although it was delivered again before. */
  readonly again?: boolean;
}

/** The result of `Admin.redeliver`. */
export interface RedeliverResult {
  /** False if an earlier call has delivered it. */
  readonly redelivered: boolean;
}

const OPTIONS: OptionList = optionList<RedeliverOptions>({
  eventId: true,
  executionId: true,
  message: true,
  again: true,
  by: true,
  reason: true,
});

export async function redeliver(
  tools: VerbTools,
  instanceId: string,
  options: RedeliverOptions,
): Promise<RedeliverResult> {
  check(instanceId, options);
  const { eventId, again = false, by, reason } = options;
  const { provider, codec, random, logger } = tools;
  const { currentExecutionId } = await tools.admin.getInstanceInfo(instanceId);
  const { executionId = currentExecutionId } = options;
  const history = await provider.readHistory(instanceId, executionId);
  const found = timelineOf(history)?.setAside.find(({ id }) => id === eventId);
  const event = history.find(({ event_id }) => Number(event_id) === eventId);
  if (found === undefined || event === undefined) throw notSetAside(instanceId, executionId, eventId);
  const place = { execution_id: executionId, event_id: eventId };
  const isDone = found.replacedBy !== undefined || (await hasReplacement(tools, instanceId, place));
  if (isDone && !again) return { redelivered: false };
  const { kind, name } = found;
  const message = messageOf(event, instanceId, executionId);
  if (message.kind !== "ExternalRaised" && message.kind !== "QueueMessage")
    throw notSetAside(instanceId, executionId, eventId);
  const payload = kind === "event" ? "raised-event" : "queue-message";
  const data = "message" in options ? encodePayload(codec, options.message, payload, name) : message.data;
  const messageId = again ? random.uuid() : `redeliver:${executionId}:${eventId}`;
  await sendMessage(provider, { ...message, data, replaces: place }, { messageId, ifMissing: "fail" });
  const fields = { instance_id: instanceId, execution_id: executionId, event_id: eventId, event_name: name };
  logger.info(
    { event: "message_redelivered", ...fields, by, reason },
    "a message that was set aside is delivered again by hand",
  );
  return { redelivered: true };
}

/** Looks into the executions after that of the message (redeliver.RD1). */
async function hasReplacement(
  { admin, provider }: VerbTools,
  instanceId: string,
  place: MessagePlace,
): Promise<boolean> {
  for (const { executionId } of await admin.listExecutions(instanceId)) {
    if (executionId <= Number(place.execution_id)) continue;
    const history = await provider.readHistory(instanceId, executionId);
    if (history.some((event) => replaces(event, place))) return true;
  }
  return false;
}

function replaces(event: HistoryEvent, place: MessagePlace): boolean {
  if (!("replaces" in event) || event.replaces === undefined) return false;
  const { execution_id, event_id } = event.replaces;
  return execution_id === place.execution_id && event_id === place.event_id;
}

function notSetAside(instanceId: string, executionId: number, eventId: number): RefusedError {
  return new RefusedError(
    instanceId,
    `redeliver: event ${eventId} of execution ${executionId} of instance "${instanceId}" is no message that was set aside; its timeline lists them under setAside`,
  );
}

function check(instanceId: string, options: RedeliverOptions): void {
  checkInstanceId(instanceId);
  const where = "admin.redeliver";
  checkOptions(where, options ?? null, OPTIONS);
  const { eventId, executionId, again, by, reason } = options;
  const fault =
    wholeNumberFault(`${where}: eventId`, eventId ?? null, 1) ??
    wholeNumberFault(`${where}: executionId`, executionId, 1) ??
    (again === undefined || typeof again === "boolean"
      ? undefined
      : `${where}: again must be true or false; got ${shown(again)}`) ??
    recordFault(where, { by, reason });
  if (fault !== undefined) throw new InvalidInputError(fault);
}

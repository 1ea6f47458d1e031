/** Fields of definitions, for tools that list or wrap definitions. */
import type {
  ActivityDefinition,
  BranchFunction,
  EventDefinition,
  JoinValue,
  KeptEventDefinition,
  OrchestrationDefinition,
  QuestionDefinition,
  StandardSchema,
  StepHandler,
  Stored,
  StoredTypes,
  StreamDefinition,
} from "@duroxide-ts/core";
import type { MessageChannel } from "@duroxide-ts/core/browser";

export function describeActivity({
  kind,
  name,
  limit,
  schema,
  result,
}: ActivityDefinition<string, string>): string {
  return `${kind} ${name}: limit ${limit ?? "none"}, checks ${[schema, result].filter(Boolean).length} values`;
}

export function describeOrchestration(checkout: OrchestrationDefinition<string, string>): string {
  const { kind, name, version, result, customStatus, onDefect = "block", handler } = checkout;
  const checks = [result, customStatus].filter(Boolean).length;
  return `${kind} ${name} ${version}: ${handler.length} parameters, checks ${checks} values, ${onDefect} on a defect`;
}

export function describeStream({ kind, name, maxItems, maxBytes }: StreamDefinition<string>): string {
  return `${kind} ${name}: at most ${maxItems} items, ${maxBytes} bytes`;
}

export function describeQuestion({ kind, name, schema }: QuestionDefinition<string, number>): string {
  return `${kind} ${name}, ${schema === undefined ? "unchecked" : "checked"}`;
}

export function describeEvent({ kind, name }: EventDefinition<string> | KeptEventDefinition<string>): string {
  return `${kind} ${name}`;
}

export function describeChannel(channel: MessageChannel): string {
  if (typeof channel === "string") return channel;
  return `${channel.name}, ${channel.schema === undefined ? "unchecked" : "checked"}`;
}

/** A schema without a library: the standard asks for one property. */
export const nonEmpty: StandardSchema<string> = {
  "~standard": {
    version: 1,
    vendor: "shop",
    validate: (value) =>
      typeof value === "string" && value !== "" ? { value } : { issues: [{ message: "must be a text" }] },
  },
};

/** A stored `Date`, as a reader gets it: text. */
export const dueAt: Stored<Date> = "2026-01-31T09:00:00.000Z";

/** Type of a value of one's own class as it is read, where the class says so itself. */
export type TextOf<T> = StoredTypes<T> extends { readonly stored: string } ? string : never;

export const branch: BranchFunction = async (ctx) => {
  if (ctx.isReplaying) return;
  ctx.log.error("the second branch was needed");
};
export const step: StepHandler = (context) => context.instanceId;
export const joined: readonly JoinValue[] = [{ sku: "A-1" }, 2, null];

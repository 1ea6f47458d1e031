/** Tools that change something; offered with `--allow-write` only. */
import type { LimitRule } from "@duroxide-ts/core";
import { type AnyClient, DuroxideError, systemRandom } from "@duroxide-ts/core/client";
import { OPERATOR_VERBS } from "@duroxide-ts/core/operate";
import { readKnown } from "../instances/read-known.ts";
import { numberOf, optionalNumber, optionalSwitch, optionalText, textOf, type WritingTool } from "./tool.ts";

const TEXT = { type: "string" };
const COUNT = { type: "integer", minimum: 1 };
const ID = { type: "string", description: "the id of the instance" };
const NAME = { type: "string", description: "the name of the schedule" };
const BY = "mcp";
const ASK_TIMEOUT_MS = 30_000;
/** A name for handles, which send messages to an instance whatever its orchestration. */
const ANY = "any";

export const WRITING_TOOLS: readonly WritingTool[] = [
  {
    name: "retry",
    description: OPERATOR_VERBS.retry.explains,
    properties: { id: ID, reason: TEXT },
    required: ["id"],
    writes: true,
    call: async ({ client }, given) => {
      const reason = optionalText(given, "reason");
      return client.admin.retry(textOf(given, "id"), { by: BY, ...(reason !== undefined && { reason }) });
    },
  },
  {
    name: "cancel",
    description: OPERATOR_VERBS.cancel.explains,
    properties: { id: ID, reason: TEXT },
    required: ["id", "reason"],
    writes: true,
    call: async (store, given, nowMs) => {
      const instanceId = textOf(given, "id");
      const { orchestrationName } = await readKnown(store, instanceId, nowMs);
      await store.client.handle(orchestrationName, instanceId).cancel(textOf(given, "reason"));
      return { cancelled: instanceId };
    },
  },
  {
    name: "raise",
    description: OPERATOR_VERBS.raise.explains,
    properties: { id: ID, event: TEXT, data: {} },
    payloads: ["data"],
    required: ["id", "event"],
    writes: true,
    call: async ({ client }, given) => {
      const instanceId = textOf(given, "id");
      await client.handle(ANY, instanceId).raise<unknown>(textOf(given, "event"), given["data"]);
      return { raised: instanceId };
    },
  },
  {
    name: "ask",
    description: "Asks a running instance, whose code answers; the question may change its state.",
    properties: { id: ID, question: TEXT, input: {} },
    payloads: ["input"],
    waits: true,
    required: ["id", "question"],
    writes: true,
    call: async ({ client }, given, _nowMs, reading) => {
      const instanceId = textOf(given, "id");
      const question = textOf(given, "question");
      const options = { timeout: ASK_TIMEOUT_MS, messageId: systemRandom.uuid() };
      const ask = (asker: AnyClient): Promise<unknown> =>
        asker.handle(ANY, instanceId).ask<unknown, unknown>(question, given["input"], options);
      await ask(client).catch((error: unknown) => {
        if (!DuroxideError.is(error, "question-refused")) throw error;
      });
      // The repetition gets the stored answer, or refusal, as tools may show it.
      return { asked: instanceId, answer: await ask(reading.client) };
    },
  },
  {
    name: "set_limit",
    description:
      "Sets how many of a key run at a time (concurrency), or begin in a period (max, perMs); it replaces the rule.",
    properties: {
      key: TEXT,
      concurrency: COUNT,
      max: COUNT,
      perMs: COUNT,
      burst: COUNT,
      reason: TEXT,
    },
    required: ["key", "reason"],
    writes: true,
    call: async ({ client }, given) => {
      const key = textOf(given, "key");
      const concurrency = optionalNumber(given, "concurrency");
      const max = optionalNumber(given, "max");
      const burst = optionalNumber(given, "burst");
      const rule: LimitRule = {
        ...(concurrency !== undefined && { concurrency }),
        ...(max !== undefined && {
          rate: { max, per: numberOf(given, "perMs"), ...(burst !== undefined && { burst }) },
        }),
      };
      await client.limits.set(key, rule, { by: BY, reason: textOf(given, "reason") });
      return { key, ...(await client.limits.get(key)) };
    },
  },
  {
    name: "enqueue",
    description: OPERATOR_VERBS.enqueue.explains,
    properties: { id: ID, queue: TEXT, message: {} },
    payloads: ["message"],
    required: ["id", "queue"],
    writes: true,
    call: async ({ client }, given) => {
      const instanceId = textOf(given, "id");
      await client.handle(ANY, instanceId).enqueue<unknown>(textOf(given, "queue"), given["message"]);
      return { enqueued: instanceId };
    },
  },
  {
    name: "redeliver",
    description: `${OPERATOR_VERBS.redeliver.explains} show_instance lists such messages under setAside; event is their id.`,
    properties: {
      id: ID,
      event: { type: "integer", minimum: 1 },
      execution: { type: "integer", minimum: 1 },
      message: {},
      again: { type: "boolean" },
    },
    payloads: ["message"],
    required: ["id", "event"],
    writes: true,
    call: async ({ client }, given) => {
      const execution = optionalNumber(given, "execution");
      const again = optionalSwitch(given, "again");
      return client.admin.redeliver(textOf(given, "id"), {
        eventId: numberOf(given, "event"),
        ...(execution !== undefined && { executionId: execution }),
        ...(given["message"] !== undefined && { message: given["message"] }),
        ...(again !== undefined && { again }),
        by: BY,
      });
    },
  },
  {
    name: "pause_schedule",
    description:
      "No due time of the schedule runs until it is resumed, and what is due meanwhile never does.",
    properties: { name: NAME, reason: TEXT },
    required: ["name", "reason"],
    writes: true,
    call: async ({ client }, given) => {
      const name = textOf(given, "name");
      await client.schedules.pause(name, { by: BY, reason: textOf(given, "reason") });
      return { paused: name };
    },
  },
  {
    name: "resume_schedule",
    description: "Ends a pause of the schedule.",
    properties: { name: NAME },
    required: ["name"],
    writes: true,
    call: async ({ client }, given) => {
      const name = textOf(given, "name");
      await client.schedules.resume(name, { by: BY });
      return { resumed: name };
    },
  },
  {
    name: "trigger_schedule",
    description: "Starts a run of the schedule now.",
    properties: { name: NAME, input: {}, reason: TEXT },
    payloads: ["input"],
    required: ["name"],
    writes: true,
    call: async ({ client }, given) => {
      const reason = optionalText(given, "reason");
      const { instanceId } = await client.schedules.trigger(textOf(given, "name"), {
        by: BY,
        ...(given["input"] !== undefined && { input: given["input"] }),
        ...(reason !== undefined && { reason }),
      });
      return { started: instanceId };
    },
  },
];

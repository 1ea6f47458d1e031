/** `duroxide start`: starts an orchestration, and waits for it if asked to. */
import type { Tags } from "@duroxide-ts/core";
import type { AnyHandle } from "@duroxide-ts/core/client";
import { tagsToSet } from "@duroxide-ts/core/operate";
import { jsonArgument } from "../command/json-argument.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { awaitResult } from "../instances/await-result.ts";
import { startMessages } from "../instances/start-messages.ts";
import { printAnswer } from "../output/answer.ts";
import { safeName } from "../text/safe-text.ts";
import type { Moment } from "../text/span.ts";

const FLAGS = {
  id: { kind: "text", value: "ID", help: "of the new instance; a random one by default" },
  version: {
    kind: "text",
    value: "V",
    help: "of the orchestration; that of the runtimes' policy by default",
  },
  tag: { kind: "texts", value: "KEY=VALUE", help: "of the instance; may be given several times" },
  input: { kind: "text", value: "JSON", help: "JSON, @file, or - for stdin" },
  wait: { kind: "switch", help: "waits for the result" },
  timeout: { kind: "duration", value: "SPAN", help: "with --wait: how long" },
  "if-exists": {
    kind: "text",
    value: "RULE",
    choices: ["fail", "reuse", "restart"],
    help: "where the id is taken: fail (default), reuse, or restart one that has ended",
  },
  after: {
    kind: "moment",
    value: "WHEN",
    help: "its code begins after a time such as 2h, or at an instant such as 2026-05-01T10:00Z",
  },
  "instance-timeout": {
    kind: "duration",
    value: "SPAN",
    help: "the instance fails if it has not ended by then; counts from --after",
  },
  raise: {
    kind: "texts",
    value: "NAME=JSON",
    help: "an event with the start; it is kept until it is awaited",
  },
  enqueue: { kind: "texts", value: "NAME=JSON", help: "a message for a queue with the start" },
} as const;

export const start: Verb = defineVerb({
  name: "start",
  takes: "<orchestration>",
  flags: FLAGS,
  details: `
The start is stored; a runtime with the orchestration runs it. duroxide.config.ts may list orchestrations: then
their schemas check the input. --raise and --enqueue may be given several times; they are stored in the same commit as
the start, also for an instance that is reused. JSON is that of --input.`,
  examples: [
    ["start checkout --id order-9 --input @order.json --wait", "waits for the result"],
    [`start checkout --instance-timeout 2d --raise 'approved={"by":"Ada"}'`, "approved before it begins"],
    [`start checkout --input '{"cents":5990}' -o ids`, "prints the id"],
    ["start remind --after 2h", "the instance exists at once, and its code begins in two hours"],
  ],
  run: startOne,
});

async function startOne(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { flags, words, terminal } = call;
  const [name, ...more] = words;
  if (name === undefined || more.length > 0)
    throw usage("It takes the name of one orchestration: duroxide start <orchestration>");
  const { "instance-timeout": timeoutMs } = flags;
  const { orchestrations = [], codec } = await call.config();
  const known = orchestrations.find((it) => it.name === name);
  const taker = { terminal, asValue: codec !== undefined };
  const inputTaker = known?.schema === undefined ? taker : { terminal, asValue: true };
  const input = await jsonArgument(flags.input, "--input", inputTaker);
  const store = await call.store("write");
  const { client } = store;
  const handle: AnyHandle<unknown> = await client.start((known ?? name) as string, {
    ifExists: (flags["if-exists"] ?? "fail") as "fail",
    ...(flags.id !== undefined && { instanceId: flags.id }),
    ...(flags.version !== undefined && { version: flags.version }),
    ...(input !== undefined && { input }),
    ...(flags.tag !== undefined && { tags: tagsOf(flags.tag) }),
    ...(flags.after !== undefined && { after: afterOf(flags.after) }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    ...(await startMessages(flags, taker)),
  });
  const { instanceId, created } = handle;
  const standing = created ? "is started" : "was started before";
  if (flags.wait) {
    if (call.form === "table") terminal.note(`${safeName(instanceId)} ${standing}\n`);
    return awaitResult(call, store, instanceId, flags.timeout);
  }
  printAnswer(call, {
    value: { instanceId, orchestrationName: name, created },
    id: instanceId,
    text: `${safeName(instanceId)} ${standing}\n`,
    next: [
      ["show", instanceId],
      ["result", instanceId],
    ],
  });
  return EXIT.ok;
}

/** A time span is one from now on. */
function afterOf(moment: Moment): number | Date {
  return "atMs" in moment ? new Date(moment.atMs) : moment.agoMs;
}

function tagsOf(terms: readonly string[]): Tags {
  const tags = tagsToSet(terms);
  if (typeof tags === "string") throw usage(`--tag: ${tags}`);
  return tags;
}

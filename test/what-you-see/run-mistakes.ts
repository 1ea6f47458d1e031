/** Typical mistakes that show when the program runs, in JavaScript, and what carries each out. */
import * as core from "@duroxide-ts/core";
import {
  type AnyActivity,
  type AnyOrchestration,
  activity,
  type Logger,
  orchestration,
  silentLogger,
} from "@duroxide-ts/core";
import * as kit from "@duroxide-ts/core/testing";
import { MemoryProvider, TestEnvironment } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { z } from "zod";

export interface RunMistake {
  readonly title: string;
  /** Statements of a program, or of an orchestration's handler. `log`: the handler goes on, and the log has a warning. */
  readonly place: "program" | "orchestration" | "log";
  readonly code: string;
  /** Statements of a client, while the instance waits. */
  readonly client?: string;
}

export const RUN_MISTAKES: readonly RunMistake[] = [
  {
    title: "An option of the runtime is misspelt",
    place: "program",
    code: "await Runtime.start({ provider, activites: [charge] });",
  },
  {
    title: "The provider is not awaited",
    place: "program",
    code: 'await Runtime.start({ provider: SqliteProvider.open(":memory:"), activities: [charge] });',
  },
  { title: "A client has no provider", place: "program", code: "new Client();" },
  {
    title: "A definition is undefined, because modules import each other in a circle",
    place: "program",
    code: "await Runtime.start({ provider, activities: [charge, undefined] });",
  },
  {
    title: "A client starts with `id`",
    place: "program",
    code: 'await client.start(checkout, { id: "o-42" });',
  },
  {
    title: "A client passes the input in the place of the options",
    place: "program",
    code: 'await client.start(checkout, "o-42");',
  },
  { title: "A cancel without a text", place: "program", code: "await handle.cancel({ reason: 5 });" },
  {
    title: "A database without a path",
    place: "program",
    code: "await SqliteProvider.open();",
  },
  {
    title: "A filter of a deletion is misspelt",
    place: "program",
    code: 'await client.admin.deleteAll({ instanceId: ["o-42"] });',
  },
  {
    title: "A codec does not give back what it got",
    place: "program",
    code: 'const codec = { name: "rot13", encode: String, decode: (text) => text };\nawait Runtime.start({ provider, codec, activities: [charge] });',
  },
  {
    title: "An input of 2 MB",
    place: "program",
    code: 'await client.start(checkout, { input: "x".repeat(2_000_000) });',
  },
  {
    title: "The version is misspelt",
    place: "program",
    code: 'orchestration("o", { verison: "2.0.0" }, async () => {});',
  },
  {
    title: "The handler is an async generator",
    place: "program",
    code: 'orchestration("o", async function* (ctx) {\n  yield ctx.scheduleTimer(1);\n});',
  },
  {
    title: "An option of a call is misspelt",
    place: "orchestration",
    code: 'await ctx.scheduleActivity(charge, 1, { sesion: "card" });',
  },
  {
    title: "A retry policy with no attempt",
    place: "orchestration",
    code: "await ctx.scheduleActivity(charge, 1, { retry: { maxAttempts: 0 } });",
  },
  {
    title: "A back-off without its delay",
    place: "orchestration",
    code: 'await ctx.scheduleActivity(charge, 1, { retry: { backoff: { kind: "fixed" } } });',
  },
  {
    title: "A unit of a duration is misspelt",
    place: "orchestration",
    code: "await ctx.scheduleTimer({ hour: 1 });",
  },
  {
    title: "An activity is called that is undefined",
    place: "orchestration",
    code: "await ctx.scheduleActivity(undefined, 1);",
  },
  {
    title: "`await` is missing, and the task stands in a text",
    place: "orchestration",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a program
    code: "ctx.log.info(`receipt ${ctx.scheduleActivity(charge, 1)}`);",
  },
  {
    title: "`await` is missing, and the task is the input of the next call",
    place: "orchestration",
    code: "await ctx.scheduleActivity(charge, { paid: ctx.scheduleActivity(charge, 1) });",
  },
  {
    title: "An input that JSON cannot store",
    place: "orchestration",
    code: 'await ctx.scheduleActivity(charge, { tags: new Set(["new"]) });',
  },
  {
    title: "Orchestration code reads the clock",
    place: "orchestration",
    code: "return Date.now();",
  },
  {
    title: "A method is taken out of `ctx`",
    place: "orchestration",
    code: "const { scheduleTimer } = ctx;\nawait scheduleTimer(1_000);",
  },
  {
    title: "Orchestration code uses a client",
    place: "orchestration",
    code: 'return client.handle(checkout, "o-42").status();',
  },
  {
    title: "Orchestration code waits by itself",
    place: "orchestration",
    code: "await new Promise((resolve) => setImmediate(resolve));\nawait ctx.scheduleActivity(charge, 1);",
  },
  {
    title: "An input of an activity of 2 MB",
    place: "orchestration",
    code: 'await ctx.scheduleActivity(charge, "x".repeat(2_000_000));',
  },
  {
    title: "An activity is not registered",
    place: "orchestration",
    code: 'await ctx.scheduleActivity("chrage", 1);',
  },
  {
    title: "A child is not registered",
    place: "orchestration",
    code: 'await ctx.scheduleSubOrchestration("chekout", 1);',
  },
  {
    title: "A call is not awaited",
    place: "log",
    code: 'ctx.scheduleActivity(charge, 1);\nreturn "done";',
  },
  {
    title: "A promise of the code is rejected, and nobody awaits it",
    place: "log",
    code: 'const audit = async () => {\n  await ctx.scheduleTimer(1);\n  throw new Error("no audit");\n};\naudit();\nawait ctx.scheduleTimer(1_000);',
  },
  {
    title: "The code throws after `continueAsNew`",
    place: "log",
    code: 'if (input === "again") return "done";\nctx.continueAsNew("program", "again");\nthrow new Error("too late");',
  },
  {
    title: "The name of an event is misspelt",
    place: "log",
    code: 'await ctx.race([ctx.waitForEvent("approved"), ctx.scheduleTimer(5_000)]);',
    client: 'await handle.raise("aproved", true);',
  },
  {
    title: "A message does not fit the schema of its wait",
    place: "log",
    code: 'await ctx.waitForEvent(event("paid", { schema: z.object({ cents: z.number() }) }));',
    client: 'await handle.raise("paid", { cents: "990" });',
  },
  {
    title: "An event for an instance that was never started",
    place: "program",
    code: 'await handle.raise("approved", true);',
  },
  {
    title: "A payload of a tenth of the limit",
    place: "log",
    code: 'await ctx.scheduleActivity(charge, "x".repeat(200_000));',
  },
];

type Program = (...values: readonly unknown[]) => Promise<unknown>;
const AsyncFunction = (async () => {}).constructor as new (...parametersAndBody: string[]) => Program;

function programOf(code: string, names: Readonly<Record<string, unknown>>): () => Promise<unknown> {
  const program = new AsyncFunction(...Object.keys(names), code);
  return () => program(...Object.values(names));
}

/** Carries the mistake out, and tells what there is to read about it. */
export async function messageOf(mistake: RunMistake): Promise<string> {
  if (mistake.place === "program") return thrownBy(mistake.code);
  return mistake.place === "log" ? loggedBy(mistake) : toldOf(mistake.code);
}

const charge: AnyActivity = activity("charge", async (_ctx, input: unknown) => input);

async function thrownBy(code: string): Promise<string> {
  const provider = new MemoryProvider();
  const client = new core.Client(provider);
  const checkout: AnyOrchestration = orchestration("checkout", async () => {});
  const handle = client.handle(checkout, "o-42");
  const names = { ...core, ...kit, SqliteProvider, provider, client, checkout, charge, handle };
  try {
    await programOf(code, names)();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error(`nothing was thrown by: ${code}`);
}

/** Replaces the location in a program that is made of a text, which helps no reader. */
function withPlainLocation(message: string): string {
  return message.replaceAll(/ \(test\/what-you-see\/.*\)$/gm, " (orders.js:12:8)");
}

/** How the instance ended, or why it is blocked. */
async function toldOf(code: string): Promise<string> {
  const program: AnyOrchestration = orchestration("program", { onDefect: "block" }, (ctx) =>
    programOf(code, { ...core, ctx, charge, checkout: program, client })(),
  );
  const provider = new MemoryProvider();
  const client = new core.Client(provider);
  await using env = await TestEnvironment.create({
    orchestrations: [program],
    activities: [charge],
    onMissingHandler: "block",
    onNondeterminism: "block",
  });
  const handle = await env.client.start(program, { instanceId: "o-42" });
  // Work of an unknown name is left to others for a while.
  await env.advance(1_000);
  for (const instanceId of ["o-42", "o-42::sub::2"]) {
    const status = await env.client.handle(program, instanceId).status();
    if (status.status === "Failed") return `Failed: ${withPlainLocation(status.message)}`;
    if ("blocked" in status)
      return withPlainLocation(status.blocked.map(({ detail }) => `blocked: ${detail}`).join("\n"));
  }
  throw new Error(`nothing happened to ${handle.instanceId}: ${code}`);
}

/** The warnings of the log, with the names of their events. */
async function loggedBy({ code, client = "" }: RunMistake): Promise<string> {
  const warnings: string[] = [];
  const warn: Logger["warn"] = (fields, message) => warnings.push(`${fields["event"]}: ${message}`);
  const program: AnyOrchestration = orchestration("program", (ctx, input: unknown) =>
    programOf(code, { ...core, z, ctx, input, charge })(),
  );
  await using env = await TestEnvironment.create({
    orchestrations: [program],
    activities: [charge],
    logger: { ...silentLogger, warn },
  });
  const handle = await env.client.start(program, { instanceId: "o-42" });
  await env.settle();
  await programOf(client, { handle })();
  await env.advance({ minutes: 1 });
  if (warnings.length === 0) throw new Error(`nothing was logged by: ${code}`);
  return withPlainLocation(warnings.join("\n"));
}

/** Typical mistakes that the compiler finds, as they are written in a program. */

export interface CompileMistake {
  readonly title: string;
  readonly code: string;
}

export const COMPILE_MISTAKES: readonly CompileMistake[] = [
  { title: "An activity is called without its input", code: "await ctx.scheduleActivity(charge);" },
  {
    title: "A member of the input has another type",
    code: "await ctx.scheduleActivity(charge, { id: 42, cents: 100 });",
  },
  { title: "A member of the input is missing", code: 'await ctx.scheduleActivity(charge, { id: "o-42" });' },
  {
    title: "A member of the input is misspelt",
    code: 'await ctx.scheduleActivity(charge, { id: "o-42", cent: 100 });',
  },
  { title: "An activity without input gets one", code: "await ctx.scheduleActivity(ping, order);" },
  {
    title: "The result has another type",
    code: "const seconds: string = await ctx.scheduleActivity(ping);",
  },
  {
    title: "The result has no such member",
    code: "const paid = await ctx.scheduleActivity(charge, order);\npaid.recipt;",
  },
  {
    title: "`await` is missing, and a member of the result is used",
    code: "const paid = ctx.scheduleActivity(charge, order);\npaid.receipt;",
  },
  {
    title: "`await` is missing in a condition",
    code: 'if (ctx.scheduleActivity(isPaid, "o-42")) await ctx.scheduleActivity(ping);',
  },
  {
    title: "`await` is missing, and the task is the input of the next call",
    code: "await ctx.scheduleActivity(ship, ctx.scheduleActivity(charge, order));",
  },
  {
    title: "`await` is missing in a sum",
    code: "const total = 100 - ctx.scheduleActivity(ping);",
  },
  {
    title: "`await` is missing in what an orchestration returns",
    code: 'orchestration("sum", async (ctx) => ({ total: ctx.scheduleActivity(ping) }));',
  },
  {
    title: "A Date of a result, which is a text by now",
    code: 'const { at } = await ctx.scheduleActivity(due, "o-42");\nat.getTime();',
  },
  {
    title: "`undefined` of a result, which is `null` by now",
    code: 'const find = activity("find", async (): Promise<string | undefined> => undefined);\nconst found: string | undefined = await ctx.scheduleActivity(find);',
  },
  {
    title: "An activity returns what JSON cannot store",
    code: 'activity("prices", async () => new Map([["apple", 100]]));',
  },
  {
    title: "The handler is an async generator",
    code: 'orchestration("steps", async function* (ctx) {\n  yield ctx.scheduleActivity(ping);\n});',
  },
  { title: "The definition is misspelt", code: "await ctx.scheduleActivity(chrage, order);" },
  {
    title: "The result of an activity that is only named",
    code: 'const paid = await ctx.scheduleActivity("charge", order);\npaid.receipt;',
  },
  {
    title: "A result determines the next input in a loop (give it a type: `const next: number | null = …`)",
    code: 'const page = activity("page", async (_ctx, from: number | null) => from);\nlet from: number | null = 0;\ndo {\n  const next = await ctx.scheduleActivity(page, from);\n  from = next;\n} while (from !== null);',
  },
  {
    title: "An orchestration is called as an activity",
    code: "await ctx.scheduleActivity(checkout, order);",
  },
  { title: "An activity is started by a client", code: "await client.start(charge, { input: order });" },
  {
    title: "An activity stands among the orchestrations",
    code: "await Runtime.start({ provider, orchestrations: [charge] });",
  },
  {
    title: "An option of the runtime is misspelt",
    code: "await Runtime.start({ provider, activites: [charge] });",
  },
  { title: "The runtime has no provider", code: "await Runtime.start({ activities: [charge] });" },
  {
    title: "An option of a call is misspelt",
    code: 'await ctx.scheduleActivity(ping, undefined, { sesion: "card" });',
  },
  { title: "A unit of a duration is misspelt", code: "await ctx.scheduleTimer({ hour: 1 });" },
  {
    title: "A back-off without its delay",
    code: 'await ctx.scheduleActivity(ping, undefined, { retry: { backoff: { kind: "fixed" } } });',
  },
  {
    title: "A back-off that does not exist",
    code: 'await ctx.scheduleActivity(ping, undefined, { retry: { backoff: { kind: "exp" } } });',
  },
  {
    title: "A client starts without the input",
    code: 'await client.start(checkout, { instanceId: "o-42" });',
  },
  {
    title: "A client starts with `id`",
    code: 'await client.start(checkout, { id: "o-42", input: order });',
  },
  { title: "An event has another payload", code: 'await handle.raise(approved, "yes");' },
  { title: "A queue is raised as an event", code: "await handle.raise(jobs, { n: 1 });" },
  { title: "A queue is waited for as an event", code: "await ctx.waitForEvent(jobs);" },
  { title: "The next execution gets another input", code: "return ctx.continueAsNew(checkout, order.id);" },
  {
    title: "The winner of a race is used before it is known",
    code: "const winner = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer(1_000)]);\nconst yes: boolean = winner.value;",
  },
  { title: "An entry gets a value of another type", code: 'ctx.kv.set(progress, "half");' },
  { title: "A mock returns another type", code: "ship.mock(async () => 5);" },
  {
    title: "The output is used before the instance has completed",
    code: "const status = await handle.status();\nstatus.output;",
  },
];

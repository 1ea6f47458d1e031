const begun = performance.now();
const { activity, Client, orchestration, Runtime } = await import("@duroxide-ts/core");
const { SqliteProvider } = await import("@duroxide-ts/sqlite");
const importMs = performance.now() - begun;
const { drive, hello } = await import("./drive.mjs");

const greet = activity("greet", async (_ctx, name) => hello(name));
const orchestrations = {
  hello: orchestration("hello", async (ctx, name) => ctx.scheduleActivity(greet, name)),
  sequence: orchestration("sequence", async (ctx, name) => {
    for (let n = 0; n < 10; n++) await ctx.scheduleActivity(greet, `${name}${n}`);
  }),
  fanOut: orchestration("fanOut", async (ctx, name) => {
    await ctx.all(Array.from({ length: 50 }, (_, n) => ctx.scheduleActivity(greet, `${name}${n}`)));
  }),
  long: orchestration("long", async (ctx, name) => {
    for (let n = 0; n < 1000; n++) await ctx.scheduleActivity(greet, name);
  }),
};
const provider = await SqliteProvider.open(`${process.env.PEER_FOLDER}/duroxide.db`);
const runtime = await Runtime.start({
  provider,
  activities: [greet],
  orchestrations: Object.values(orchestrations),
});
const client = new Client(provider);
const runOne = async (name, instanceId) =>
  (await client.start(orchestrations[name], { instanceId, input: "x" })).result();
await drive({ system: "duroxide-ts on SQLite", runOne, importMs });
await runtime.shutdown();
await provider.close();

/** `PEER_STORE` is "sqlite" or "postgres". */
const begun = performance.now();
const { OpenWorkflow } = await import("openworkflow");
const onSqlite = process.env.PEER_STORE === "sqlite";
const { BackendPostgres, BackendSqlite } = await import(
  onSqlite ? "openworkflow/sqlite" : "openworkflow/postgres"
);
const importMs = performance.now() - begun;
const { drive, hello } = await import("./drive.mjs");

const backend = onSqlite
  ? BackendSqlite.connect(`${process.env.PEER_FOLDER}/openworkflow.db`)
  : await BackendPostgres.connect(`${process.env.PEER_POSTGRES}/openworkflow`);
const openworkflow = new OpenWorkflow({ backend });
const define = (name, run) => openworkflow.defineWorkflow({ name }, run);
const greet = (step, name, text) => step.run({ name }, async () => hello(text));
const workflows = {
  hello: define("hello", async ({ input, step }) => greet(step, "greet", input)),
  sequence: define("sequence", async ({ input, step }) => {
    for (let n = 0; n < 10; n++) await greet(step, `greet-${n}`, input);
  }),
  fanOut: define("fanOut", async ({ input, step }) => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => greet(step, `greet-${n}`, input)));
  }),
  long: define("long", async ({ input, step }) => {
    for (let n = 0; n < 1000; n++) await greet(step, `greet-${n}`, input);
  }),
};
const worker = openworkflow.newWorker({ concurrency: 100 });
await worker.start();
const runOne = async (name) => {
  const run = await workflows[name].run("x");
  // By default it asks each second, which would measure the waiting and not the engine.
  run.resultPollIntervalMs = 5;
  return run.result({ timeoutMs: 900_000 });
};
const store = onSqlite ? "SQLite" : "PostgreSQL 15";
await drive({ system: `openworkflow 0.10.1 on ${store}`, runOne, importMs });
process.exit(0);

const begun = performance.now();
const { DBOS } = await import("@dbos-inc/dbos-sdk");
const importMs = performance.now() - begun;
const { drive, hello } = await import("./drive.mjs");

DBOS.setConfig({
  name: "peers",
  systemDatabaseUrl: `${process.env.PEER_POSTGRES}/dbos`,
  logLevel: "error",
  runAdminServer: false,
});
const step = (name) => DBOS.runStep(async () => hello(name), { name: "greet" });
const workflows = {
  hello: async (name) => step(name),
  sequence: async (name) => {
    for (let n = 0; n < 10; n++) await step(`${name}${n}`);
  },
  fanOut: async (name) => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => step(`${name}${n}`)));
  },
  long: async (name) => {
    for (let n = 0; n < 1000; n++) await step(name);
  },
};
const registered = Object.fromEntries(
  Object.entries(workflows).map(([name, workflow]) => [name, DBOS.registerWorkflow(workflow, { name })]),
);
await DBOS.launch();
const runOne = async (name, workflowID) =>
  (await DBOS.startWorkflow(registered[name], { workflowID })("x")).getResult();
await drive({ system: "DBOS 5.3.0 on PostgreSQL 15", runOne, importMs });
await DBOS.shutdown();
process.exit(0);

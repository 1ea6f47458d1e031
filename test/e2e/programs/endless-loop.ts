/** Serves an instance whose code never gives the event loop back, and says so before. */
import { writeSync } from "node:fs";
import { Client, orchestration, Runtime, stderrLogger } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const [path = ""] = process.argv.slice(2);
const STDOUT = 1;

function countForever(): never {
  writeSync(STDOUT, "in the loop\n");
  for (;;);
}

const endless = orchestration("endless", async () => countForever());
const provider = await SqliteProvider.open(path);
await new Client(provider).start(endless, { instanceId: "order-7" });
await Runtime.start({
  provider,
  orchestrations: [endless],
  maxAttempts: 1,
  orchestratorLockTimeoutMs: 1_000,
  logger: stderrLogger(),
});

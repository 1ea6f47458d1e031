/** Kills the agent while the model answers for the second time, and starts it again: the tool does not run again. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

const AGENT_DB = "crash.db";
for (const end of ["", "-wal", "-shm"]) rmSync(`${AGENT_DB}${end}`, { force: true });

function start() {
  const env = { ...process.env, AGENT_DB };
  return spawn(process.execPath, ["src/main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
}

let said = "";
const first = start();
for await (const text of first.stdout.setEncoding("utf8")) {
  said += text;
  process.stdout.write(text);
  if (said.includes("I have found your")) first.kill("SIGKILL");
}
console.log("\n\nkilled in the middle of an answer; started again:\n");

for await (const text of start().stdout.setEncoding("utf8")) process.stdout.write(text);
console.log("the shop was not asked again: the result of the tool was stored");

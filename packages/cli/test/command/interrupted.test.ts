/** Ctrl-C, and the signal with which programs end others, end a command that reads stdin too. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, it } from "vitest";
import { Desk } from "../support/desk.ts";
import { environmentOf } from "../support/run-process.ts";

const MAIN = path.join(import.meta.dirname, "..", "..", "src", "main.ts");
const FLAGS = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];
const PING = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`;

it.each(["SIGINT", "SIGTERM"] as const)("%s ends a server of agents whose stdin is open", async (signal) => {
  await using desk = await Desk.open("sqlite", { empty: true });
  const child = spawn(process.execPath, [...FLAGS, MAIN, "mcp"], {
    cwd: desk.folder,
    env: environmentOf(desk),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  child.stdin.write(PING);
  await once(child.stdout, "data");
  child.kill(signal);
  expect(await ended).toEqual([130, null]);
});

/** Runs commands as a reader does: in a shell, in a folder outside the repository. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect } from "vitest";

/** `npm`, and the Node that runs the tests, come first in the path. No command may need the registry. */
const ENV = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
};

export interface Run {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  readonly ended: Promise<unknown>;
}

export function start(command: string, folder: string): Run {
  // A shell of its own, as the reader's; `exec` leaves the program in its place, so that a kill reaches it.
  const line = process.platform === "win32" ? command : `exec ${command}`;
  const child = spawn(line, { cwd: folder, env: ENV, shell: true });
  const lines: string[] = [];
  const add = (text: unknown): void => {
    lines.push(
      ...String(text)
        .split("\n")
        .filter((it) => it !== ""),
    );
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return { child, lines, ended: once(child, "close") };
}

export async function run(command: string, folder: string): Promise<Run> {
  const started = start(command, folder);
  await started.ended;
  expect(started.child.exitCode, `${command}\n${started.lines.join("\n")}`).toBe(0);
  return started;
}

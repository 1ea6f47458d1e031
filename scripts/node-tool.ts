/** Programs of node_modules, run by this Node at the root of the repository. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

export const ROOT: string = path.resolve(import.meta.dirname, "..");

/** Checks the types of the tests and builds the packages. `typescript` is the one that typedoc and knip need. */
export const COMPILER = "typescript-native/bin/tsc";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The path of a program that is named as in `COMPILER`. */
export function scriptOf(program: string): string {
  return path.join(ROOT, "node_modules", ...program.split("/"));
}

/** Runs the program in the foreground, passes signals on to it, and resolves to its exit code. */
export async function runTool(program: string, ...args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [scriptOf(program), ...args], { cwd: ROOT, stdio: "inherit" });
  const passOn = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, passOn);
  const [exitCode] = await once(child, "exit");
  for (const signal of SIGNALS) process.off(signal, passOn);
  return typeof exitCode === "number" ? exitCode : 1;
}

/** A program of the repository, run to its end in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

export interface Ended {
  readonly exitCode: unknown;
  /** Text that it wrote, errors included. */
  readonly output: string;
}

/** Called with all that the program has written so far. `interrupt` sends it what Ctrl-C sends. */
type OnOutput = (output: string, interrupt: () => void) => void;

/** `args` begins with the path of the program, from the root. `env` is added to that of this process. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onOutput: OnOutput = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, ["--conditions=@duroxide-ts/source", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
  });
  let output = "";
  const collect = (text: unknown): void => {
    output += String(text);
    onOutput(output, () => child.kill("SIGINT"));
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const [exitCode] = await once(child, "close");
  return { exitCode, output };
}

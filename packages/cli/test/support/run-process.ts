/** The command as a real process. */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const MAIN = path.join(import.meta.dirname, "..", "..", "src", "main.ts");
const FREEZE = path.join(import.meta.dirname, "freeze-after-lines.ts");
const FLAGS = ["--conditions=@duroxide-ts/source", "--disable-warning=ExperimentalWarning"];

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly stdin?: string;
  /** Called with what stdout has said so far. */
  readonly onOutput?: (stdout: string, interrupt: () => void) => void;
}

export interface ProcessOptions extends Omit<RunOptions, "onOutput"> {
  readonly onOutput?: (stdout: string, interrupt: () => void, kill: () => void) => void;
  /** Nobody reads what it writes: the pipes are closed before it begins. */
  readonly withoutReader?: boolean;
  /** The file to which it writes in place of a pipe. */
  readonly stdoutFile?: string;
  /** Number of lines after which the process stands still until it is killed. */
  readonly freezeAfterLines?: number;
}

/** The variables of a run: those of the tests without what names a store, in one time zone. */
export function environmentOf({
  folder,
  env,
}: Pick<RunOptions, "folder" | "env">): Readonly<Record<string, string | undefined>> {
  const { DUROXIDE_STORE: _store, COSMOSDB_KEY: _key, FORCE_COLOR: _colour, ...inherited } = process.env;
  return { ...inherited, TZ: "UTC", XDG_STATE_HOME: folder ?? tmpdir(), ...env };
}

/** Runs `duroxide` with these words to its end. */
export async function runProcess(words: readonly string[], options: ProcessOptions = {}): Promise<Run> {
  const { freezeAfterLines: most } = options;
  const preload = most === undefined ? [] : ["--import", FREEZE];
  const fd = options.stdoutFile === undefined ? undefined : openSync(options.stdoutFile, "w");
  const child = spawn(process.execPath, [...FLAGS, ...preload, MAIN, ...words], {
    cwd: options.folder,
    env: { ...environmentOf(options), ...(most !== undefined && { FREEZE_AFTER_LINES: String(most) }) },
    stdio: ["pipe", fd ?? "pipe", "pipe"],
  });
  if (fd !== undefined) closeSync(fd);
  let stdout = "";
  let stderr = "";
  let interrupted = false;
  const interrupt = (): void => {
    // A second signal ends a process at once.
    if (!interrupted) child.kill("SIGINT");
    interrupted = true;
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    options.onOutput?.(stdout, interrupt, () => child.kill("SIGKILL"));
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  if (options.withoutReader === true) {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.stdin ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

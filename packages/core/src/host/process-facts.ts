/**
 * Facts of the operating system about processes of this machine: what names the machine and this process, and whether
 * another one is there.
 *
 * `undefined` is "it does not say": on systems other than Linux and macOS, and where `/proc` is not there or is that of
 * another namespace.
 */
import { readFileSync, readlinkSync } from "node:fs";

/**
 * A name for what gives out process ids: the boot of the machine, on Linux with the namespaces of process ids (those of
 * containers) and of times (which changes the times at which processes began).
 */
export function processSpace(): string | undefined {
  if (process.platform === "darwin") return ask(bootOfMac);
  return process.platform === "linux" ? ask(spaceOfLinux) : undefined;
}

/** Returns when the process began, in ticks since the boot; an empty text where the system does not say. */
export function beginOf(pid: number): string {
  return statOf(pid)?.began ?? "";
}

/**
 * Whether no process has the id, or only the entry of one that has ended and whose parent has not noticed. False for a
 * process of another user.
 */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
  return statOf(pid)?.hasEnded ?? false;
}

function spaceOfLinux(): string | undefined {
  if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  const times = ask(() => readlinkSync("/proc/self/ns/time")) ?? "";
  return [boot, readlinkSync("/proc/self/ns/pid"), times].join(" ");
}

/** Loaded where it is needed, because it takes longer to load than all else in this file. */
function bootOfMac(): string | undefined {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const options = { encoding: "utf8", timeout: 1_000, stdio: "pipe" } as const;
  return execFileSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], options).trim() || undefined;
}

interface Stat {
  readonly began: string;
  readonly hasEnded: boolean;
}

/** The fields after the name, which may contain anything, are the 3rd and following of proc_pid_stat(5). */
function statOf(pid: number): Stat | undefined {
  if (process.platform !== "linux") return undefined;
  const text = ask(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, began] = [fields[0], fields[19]];
  if (state === undefined || began === undefined) return undefined;
  return { began, hasEnded: state === "Z" || state === "X" };
}

function ask<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch {
    return undefined;
  }
}

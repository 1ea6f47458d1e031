/** The operating system tells which real processes have ended. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  holderOf,
  type ProcessIdentity,
  secretOf,
  secretsOf,
  systemProcesses,
} from "../../src/contract/processes.ts";
import { beginOf, processSpace } from "../../src/host/process-facts.ts";

const own = systemProcesses.own();
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that does nothing. */
function idle(): { readonly child: ChildProcess; readonly identity: ProcessIdentity } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  children.push(child);
  return { child, identity: identityOf(child.pid ?? 0) };
}

function identityOf(pid: number): ProcessIdentity {
  return { space: own?.space ?? "", pid, began: beginOf(pid) };
}

describe.skipIf(process.platform !== "linux")("on Linux", () => {
  it("a process has ended when it is killed, and not while it runs or stands still", async () => {
    const { child, identity } = idle();
    expect(identity.began).not.toBe("");
    expect(systemProcesses.hasEnded(identity)).toBe(false);
    child.kill("SIGSTOP");
    expect(systemProcesses.hasEnded(identity)).toBe(false);
    child.kill("SIGKILL");
    await once(child, "exit");

    expect(systemProcesses.hasEnded(identity)).toBe(true);
  });

  it("a process whose id another one has now has ended", () => {
    const { identity } = idle();

    expect(systemProcesses.hasEnded({ ...identity, began: "1" })).toBe(true);
    expect(systemProcesses.hasEnded({ ...identity, pid: process.pid })).toBe(true);
  });

  it("a process that has ended and of which only the entry is left has ended", async () => {
    const shell = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 1000"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(shell);
    const [line] = (await once(createInterface(shell.stdout), "line")) as [string];

    await expect.poll(() => systemProcesses.hasEnded(identityOf(Number(line)))).toBe(true);
  });

  it("a process of another space has not ended, whatever its id is", async () => {
    const { child, identity } = idle();
    child.kill("SIGKILL");
    await once(child, "exit");

    expect(systemProcesses.hasEnded({ ...identity, space: "other" })).toBe(false);
  });

  it("an id that was damaged in the store is that of nobody who has ended", () => {
    for (const pid of [0, -1, 1.5, Number.NaN]) {
      expect(systemProcesses.hasEnded({ ...identityOf(process.pid), pid })).toBe(false);
    }
  });

  it("the threads of a process have its name", async () => {
    const code = `const { parentPort } = require("node:worker_threads");
      parentPort.postMessage([process.pid, require("node:fs").readFileSync("/proc/self/stat", "utf8").split(" ").at(0)]);`;
    const [message] = (await once(new Worker(code, { eval: true }), "message")) as [unknown];

    expect(message).toEqual([process.pid, String(process.pid)]);
  });
});

describe("on a system that does not say enough", () => {
  it.each(["win32", "darwin"] as const)(
    "there is no name for a process: %s without its answer",
    (platform) => {
      using _platform = vi.spyOn(process, "platform", "get").mockReturnValue(platform);
      using _builtin = vi.spyOn(process, "getBuiltinModule").mockImplementation(() => {
        throw new Error("no sysctl here");
      });

      expect(processSpace()).toBeUndefined();
    },
  );
});

describe("the secret of a lock", () => {
  const identity = { space: "boot pid:[1]", pid: 1, began: "1" };
  const uuid = "01234567-89ab-4def-8123-456789abcdef";

  it("is a UUID that says the process, and lies between the bounds of its holder alone", () => {
    const holder = holderOf(identity);
    const secret = secretOf(holder, uuid);
    expect(secret).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4def-8123-456789abcdef$/);
    const { from, below } = secretsOf(holder);
    expect(secret >= from && secret < below).toBe(true);
    const other = secretOf(holderOf({ ...identity, began: "2" }), uuid);
    expect(other >= from && other < below).toBe(false);
  });

  it("differs with each part of the name", () => {
    const names = [
      identity,
      { ...identity, space: "x" },
      { ...identity, pid: 2 },
      { ...identity, began: "2" },
    ];
    expect(new Set(names.map(holderOf)).size).toBe(4);
  });
});

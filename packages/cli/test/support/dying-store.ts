/**
 * A configuration: the store that DYING_STORE names, in a process that kills itself when as many of its writes have been
 * stored as DIE_AFTER says.
 */
import type { Provider } from "@duroxide-ts/core";
import { silentLogger } from "@duroxide-ts/core";
import type { DuroxideConfig } from "../../src/index.ts";
import { openStore } from "../../src/store/open-store.ts";

const WRITES: ReadonlySet<PropertyKey> = new Set([
  "enqueueForOrchestrator",
  "fetchOrchestrationItem",
  "ackOrchestrationItem",
  "reviseInstance",
]);

let left = Number(process.env["DIE_AFTER"]);

function dying<T extends object>(target: T): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "admin") return dying(value as object);
      if (typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        const result: unknown = await Reflect.apply(value, target, args);
        if (WRITES.has(name) && --left === 0) process.kill(process.pid, "SIGKILL");
        return result;
      };
    },
  });
}

async function open(): Promise<Provider> {
  const store = await openStore(
    {
      named: process.env["DYING_STORE"],
      environment: process.env,
      folder: process.cwd(),
      config: { file: undefined },
      logger: silentLogger,
    },
    "write",
  );
  return dying(store.provider);
}

export const provider: NonNullable<DuroxideConfig["provider"]> = open;

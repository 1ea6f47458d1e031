/** Runs in a thread of its own: the kit on one mutant, until a case catches it. */
import { parentPort, workerData } from "node:worker_threads";
import type { MemoryProvider } from "@duroxide-ts/core/testing";
import { type ProviderCase, providerCases, runCase } from "@duroxide-ts/provider-tests";
import { memoryFactory } from "../support/memory.ts";

const { provider: url } = workerData as { readonly provider: string };
const { MemoryProvider: Mutated } = (await import(url)) as { MemoryProvider: typeof MemoryProvider };

const factory = memoryFactory("mutant", Mutated);

async function isCaught(each: ProviderCase): Promise<boolean> {
  // A thread that is still there when its time is over was caught by the case that it began last.
  parentPort?.postMessage({ begun: `${each.group}: ${each.name}` });
  return runCase(each, factory).then(
    () => false,
    () => true,
  );
}

/** Cases, those that drive a runtime last: they take long, and a plain case should find first what they find. */
const inOrder = [...providerCases].sort((a, b) => Number(isSlow(a)) - Number(isSlow(b)));

function isSlow({ group }: ProviderCase): boolean {
  return group === "race_replay" || group === "model";
}

let caught = false;
for (const each of inOrder) {
  caught = await isCaught(each);
  if (caught) break;
}
parentPort?.postMessage({ ended: caught });

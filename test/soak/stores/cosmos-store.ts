/**
 * A container on a local endpoint in a process of its own, or on the account that the environment names. The processes
 * of the soak reach it through a fault proxy; the soak itself reaches it directly.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { type FaultEffect, FaultProxy } from "../../support/fault-proxy/fault-proxy.ts";
import { ProgramProcess } from "../../support/program-process.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";
import { removeContainer } from "../../support/stores/remove-container.ts";
import type { SoakStore } from "./soak-store.ts";

interface Account extends AsyncDisposable {
  readonly endpoint: string;
  readonly key: string;
}

const ENDPOINT_PROGRAM = path.join(import.meta.dirname, "endpoint-process.ts");

interface Fault {
  readonly name: string;
  readonly effect: FaultEffect;
  /** How likely a request meets it. */
  readonly rate: number;
}

/** Sub-status of 403 for a partition key that has reached its largest size. */
const FULL = { "x-ms-substatus": "1014" };

const FAULTS: readonly Fault[] = [
  ...[401, 403, 503].map((status) => ({
    name: String(status),
    effect: { kind: "answer", status } as const,
    rate: 1,
  })),
  { name: "full", effect: { kind: "answer", status: 403, headers: FULL }, rate: 1 },
  {
    name: "429",
    effect: { kind: "answer", status: 429, headers: { "x-ms-retry-after-ms": "100" } },
    rate: 0.7,
  },
  { name: "reset", effect: { kind: "reset" }, rate: 1 },
  { name: "lost answers", effect: { kind: "lose-answer" }, rate: 0.3 },
];

export async function openCosmosStore(random: SeededRandom): Promise<SoakStore> {
  const account = await openAccount();
  const proxy = await FaultProxy.start(account.endpoint);
  const { endpoint, key } = account;
  const database = process.env["COSMOSDB_DATABASE"] || "duroxide";
  const place = { database, container: `soak-${randomUUID()}` };
  const provider = await CosmosProvider.connect({ endpoint, key, ...place });
  return {
    address: { kind: "cosmos", endpoint: proxy.endpoint, key, ...place },
    provider,
    async spoil() {
      const { name, effect, rate } = FAULTS[random.below(FAULTS.length)] ?? raise("there are no faults");
      proxy.add({ match: () => random.next() < rate, effect });
      return name;
    },
    async mend() {
      proxy.clear();
    },
    isHeld: async () => false,
    async [Symbol.asyncDispose]() {
      await provider.close();
      await proxy[Symbol.asyncDispose]();
      await removeContainer({ endpoint, key, ...place });
      await account[Symbol.asyncDispose]();
    },
  };
}

async function openAccount(): Promise<Account> {
  const { COSMOSDB_ENDPOINT: endpoint = "", COSMOSDB_KEY: key = "" } = process.env;
  if (endpoint !== "") return { endpoint, key, async [Symbol.asyncDispose]() {} };
  const own = new ProgramProcess(ENDPOINT_PROGRAM);
  const gone = own.ended.then(() => raise(`the endpoint did not start, ${own.lastWords}`));
  const [address] = await Promise.race([once(own.process, "message"), gone]);
  gone.catch(() => {});
  return {
    ...(address as { readonly endpoint: string; readonly key: string }),
    async [Symbol.asyncDispose]() {
      own.kill();
      await own.ended;
    },
  };
}

function raise(message: string): never {
  throw new Error(message);
}

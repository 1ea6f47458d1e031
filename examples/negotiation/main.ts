/**
 * Three processes work on the same negotiations, one is killed in the middle of its work, and every negotiation is
 * worked on once in each of its states all the same.
 *
 * `node --conditions=@duroxide-ts/source examples/negotiation/main.ts`; on a local endpoint, or on the account that the
 * environment names with its key (docs/cosmos/set-up.md).
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Container } from "@azure/cosmos";
import { DocumentLeaseError, DocumentLeases } from "@duroxide-ts/cosmos/document-leases";
import { startEndpointIfNeeded } from "../local-endpoint.ts";
import { type Negotiation, newNegotiations } from "./negotiation.ts";
import { connect, createContainer, LEASE_MS } from "./place.ts";
import { check } from "./proof.ts";
import { WorkerProcess } from "./worker-process.ts";

const COUNT = 40;
const HOLDERS: readonly string[] = ["anna", "ben", "cleo"];
const LOOK_EVERY_MS = 50;

/** A negotiation as it is stored while a worker works on it. */
type Stored = Negotiation & { readonly lease?: StoredLease };

interface StoredLease {
  readonly holder?: string;
  readonly token: number;
  readonly acquiredAtMs: number;
  readonly durationMs: number;
}

async function main(container: Container): Promise<boolean> {
  for (const each of newNegotiations(COUNT)) await container.items.create(each);
  const leases = DocumentLeases.on(container, { leaseMs: LEASE_MS });
  const method = await leases.prepare();

  const workers = HOLDERS.map((holder) => new WorkerProcess(container.id, holder));
  process.once("exit", () => {
    for (const worker of workers) worker.kill();
  });
  const names = workers.map(({ holder, pid }) => `${holder} (${pid})`).join(", ");
  say(`1. Three processes work on ${COUNT} negotiations: ${names}.`);
  say(`   Leases of ${LEASE_MS / 1_000} s, written by ${method}.`);

  const victim = await waitForTheMiddle(container, workers);
  victim.kill();
  await victim.ended;
  const killed = victim.holder;
  const orphans = (await readAll(container)).filter(({ lease }) => lease?.holder === killed);
  say(`\n2. SIGKILL: ${killed} is gone, and still holds ${orphans.map(({ id }) => id).join(", ")}.`);
  say("   The others go on, and get these when their leases have expired.");

  await Promise.all(workers.map(({ ended }) => ended));
  const lateWriteRefused = await isRefused(leases, orphans[0]);
  const atEnd = await readAll(container);
  say("\n3. What became of them:\n");
  say(table(atEnd));
  const checks = check({ atEnd, killed, orphans, lateWriteRefused });
  for (const { ok, text } of checks) say(`   ${ok ? "✓" : "✗ NOT SO:"} ${text}`);
  return checks.every(({ ok }) => ok);
}

/** Resolves to a process that has something in hand, when a good part of the work is done and much is left. */
async function waitForTheMiddle(
  container: Container,
  workers: readonly WorkerProcess[],
): Promise<WorkerProcess> {
  const ends = Promise.all(workers.map(({ ended }) => ended));
  for (;;) {
    // A worker that broke down is told here rather than waited for.
    await Promise.race([ends, sleep(LOOK_EVERY_MS)]);
    const all = await readAll(container);
    const steps = all.flatMap(({ log }) => log);
    const busy = workers.find(
      ({ holder }) =>
        all.filter(({ lease }) => lease?.holder === holder).length >= 2 &&
        steps.some(({ by }) => by === holder),
    );
    if (steps.length >= COUNT && busy !== undefined) return busy;
    if (all.every(({ state }) => state === "finalized" || state === "declined")) {
      throw new Error("The workers were done before one could be killed; run it again.");
    }
  }
}

/** Writes through the lease of the dead process, as that process would if it had only been suspended. */
async function isRefused(leases: DocumentLeases, orphan: Stored | undefined): Promise<boolean> {
  if (orphan?.lease?.holder === undefined) return false;
  const { id, market, lease } = orphan;
  const { holder = "", token, acquiredAtMs, durationMs } = lease;
  const old = { id, partitionKey: market, holder, token, acquiredAtMs, durationMs, heldUntilMs: 0 };
  try {
    await leases.update({ ...old, document: orphan }, { state: "requested" });
    return false;
  } catch (error) {
    if (!DocumentLeaseError.is(error, "not-held")) throw error;
    return true;
  }
}

async function readAll(container: Container): Promise<readonly Stored[]> {
  const { resources } = await container.items.readAll<Stored>().fetchAll();
  return [...resources].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function table(negotiations: readonly Negotiation[]): string {
  const ends = Map.groupBy(negotiations, ({ state }) => state);
  const lines = [...ends].map(([state, some]) => `   ${state.padEnd(10)} ${some.length} negotiations`);
  const steps = Map.groupBy(
    negotiations.flatMap(({ log }) => log),
    ({ by }) => by,
  );
  const shares = HOLDERS.map((holder) => `${holder} ${steps.get(holder)?.length ?? 0}`).join(", ");
  return [...lines, `   steps      ${shares}`, ""].join("\n");
}

function say(text: string): void {
  console.log(text);
}

const endpoint = await startEndpointIfNeeded(2);
const client = connect();
const container = await createContainer(client, `negotiation-${randomUUID().slice(0, 8)}`);
try {
  process.exitCode = (await main(container)) ? 0 : 1;
} finally {
  if (endpoint === undefined) await container.delete();
  client.dispose();
  await endpoint?.stop();
}

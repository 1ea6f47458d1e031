/**
 * One worker process: `worker.ts <container> <name>`. It leases some negotiations of a state, works on each, and gives
 * it back in the write that brings it to the next state. It ends when no negotiation is left, and may die at any moment.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Container } from "@azure/cosmos";
import { DocumentLeaseError, DocumentLeases, type Lease } from "@duroxide-ts/cosmos/document-leases";
import { type Negotiation, nextStep, WORKING_STATES } from "./negotiation.ts";
import { connect, containerOf, LEASE_MS } from "./place.ts";

const AT_ONCE = 3;
const WORK_MS = 120;
const IDLE_MS = 200;

async function main(container: Container, holder: string): Promise<void> {
  const leases = DocumentLeases.on(container, { leaseMs: LEASE_MS });
  while (await isWorkLeft(container)) {
    const taken = await takeSome(leases, holder);
    for (const lease of taken) await work(leases, lease);
    if (taken.length === 0) await sleep(IDLE_MS);
  }
}

async function takeSome(leases: DocumentLeases, holder: string): Promise<readonly Lease<Negotiation>[]> {
  for (const state of WORKING_STATES) {
    const taken = await leases.nextForState<Negotiation>(state, { limit: AT_ONCE, holder });
    if (taken.length > 0) return taken;
  }
  return [];
}

async function work(leases: DocumentLeases, lease: Lease<Negotiation>): Promise<void> {
  await sleep(WORK_MS);
  const { document, holder, token } = lease;
  const line = { left: document.state, by: holder, token };
  const changes = { ...nextStep(document), log: [...document.log, line] };
  try {
    await leases.update(lease, changes, { giveBack: true });
  } catch (error) {
    // This worker was too slow, and another one holds the document now: what this one did does not count.
    if (!DocumentLeaseError.is(error, "not-held")) throw error;
  }
}

async function isWorkLeft(container: Container): Promise<boolean> {
  const query = "SELECT c.id FROM c WHERE ARRAY_CONTAINS(@states, c.state)";
  const parameters = [{ name: "@states", value: [...WORKING_STATES] }];
  const pages = container.items.query({ query, parameters }, { maxItemCount: 1 });
  while (pages.hasMoreResults()) {
    const { resources } = await pages.fetchNext();
    if (resources !== undefined && resources.length > 0) return true;
  }
  return false;
}

const [name, holder] = process.argv.slice(2);
if (name === undefined || holder === undefined)
  throw new Error("Which container, as whom? worker.ts deals anna");
const client = connect();
await main(containerOf(client, name), holder);
client.dispose();

/**
 * Eight callers at once, on a service that refuses a part of the requests and answers some from the past; two die. No
 * caller gets a document that another one holds, and in the end every document was worked on once.
 *
 * A few hundred documents; `LEASE_CROWD=10000` in the environment makes it so many, and prints what it took.
 */
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { CosmosClient, type JSONObject } from "@azure/cosmos";
import { DocumentLeases, type DocumentLeasesOptions, type Lease } from "@duroxide-ts/cosmos/document-leases";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../../test/support/seeded-random.ts";
import { DATABASE, type Fixture, fixture, WAYS } from "./fixture.ts";

const WANTED = process.env["LEASE_CROWD"];
const DOCUMENTS = Number(WANTED ?? 240);
const TENANTS = 8;
const HOLDERS = ["a", "b", "c", "d", "e", "f", "dies-1", "dies-2"];
const AT_ONCE = 10;
/** Longer than any run, so that a lease ends only when the test says so. */
const LEASE_MS = 600_000;
const SEED = Number(process.env["LEASE_SEED"] ?? Date.now() % 1_000_000);

/**
 * Documents and the callers that hold them, as the callers see it; notes documents that went to two callers at once.
 */
class Hands {
  readonly violations: string[] = [];
  readonly worked = new Map<string, number>();
  readonly #held = new Map<string, string>();

  took(name: string, holder: string): void {
    const other = this.#held.get(name);
    if (other !== undefined) this.violations.push(`${holder} got ${name}, which ${other} holds`);
    this.#held.set(name, holder);
  }

  /** Called before the document is given back. */
  letGo(name: string): void {
    this.#held.delete(name);
  }

  done(name: string): void {
    this.worked.set(name, (this.worked.get(name) ?? 0) + 1);
  }

  expired(holder: string): void {
    for (const [name, by] of this.#held) if (by === holder) this.#held.delete(name);
  }
}

interface Caller {
  readonly holder: string;
  readonly leases: DocumentLeases;
  readonly isDead: () => boolean;
  readonly dispose: () => void;
}

/** `lifetime` is how many requests it lives for; the answer to the last one does not arrive. */
function callerOf(given: Fixture, holder: string, way: DocumentLeasesOptions, lifetime: number): Caller {
  let requests = 0;
  const network = createDefaultHttpClient();
  const httpClient: HttpClient = {
    async sendRequest(request) {
      request.allowInsecureConnection = true;
      if (++requests > lifetime) return new Promise(() => {});
      const answer = await network.sendRequest(request);
      return requests >= lifetime ? new Promise(() => {}) : answer;
    },
  };
  const { connectionString } = given.emulator;
  const client = new CosmosClient({ connectionString, httpClient });
  const leases = DocumentLeases.on(client.database(DATABASE).container(given.container.id), {
    ...way,
    leaseMs: LEASE_MS,
  });
  return { holder, leases, isDead: () => requests >= lifetime, dispose: () => client.dispose() };
}

const nameOf = ({ id, partitionKey }: Lease): string => `${String(partitionKey)}/${id}`;

/** Works until there is nothing to be had. A caller that dies never comes back from a call. */
async function workAsLongAsThereIs({ holder, leases }: Caller, hands: Hands): Promise<void> {
  for (;;) {
    const taken = await leases.nextForState("requested", { limit: AT_ONCE, holder });
    for (const lease of taken) hands.took(nameOf(lease), holder);
    for (const lease of taken) {
      hands.letGo(nameOf(lease));
      await leases.update(lease, { state: "done" }, { giveBack: true });
      hands.done(nameOf(lease));
    }
    if (taken.length === 0) return;
  }
}

/** Works until the caller is dead, or found nothing to do before that. */
async function workUntilDeath(caller: Caller, hands: Hands): Promise<void> {
  let isOver = false;
  const death = async (): Promise<void> => {
    while (!isOver && !caller.isDead()) await new Promise((resolve) => setImmediate(resolve));
  };
  await Promise.race([workAsLongAsThereIs(caller, hands), death()]);
  isOver = true;
}

describe.each(WAYS)("a crowd by %s", (name, way) => {
  const given = fixture({ seed: SEED });

  it(`of eight over ${DOCUMENTS} documents works on each once (seed ${SEED})`, async () => {
    const random = new SeededRandom(SEED);
    const container = await given().newContainer(["/tenant"]);
    const stage = { ...given(), container } as Fixture;
    await fill(stage);
    const lifetimes = HOLDERS.map((holder) =>
      holder.startsWith("dies") ? 8 + random.below(DOCUMENTS / 16) : Number.POSITIVE_INFINITY,
    );
    const callers = HOLDERS.map((holder, n) => callerOf(stage, holder, way, lifetimes[n] ?? 0));
    const alive = callers.filter(({ holder }) => !holder.startsWith("dies"));
    const dying = callers.filter((caller) => !alive.includes(caller));
    const hands = new Hands();
    const mark = given().emulator.requestLog.mark();
    const startedAtMs = performance.now();
    const effect = { kind: "error", status: 429, retryAfterMs: 1 } as const;
    const { faults } = given().emulator;
    const busy = faults.add({ match: {}, rate: 0.1, effect });
    const stale = { kind: "staleRead", writesBehind: 5 } as const;
    const behind = faults.add({ match: { operation: "item.query" }, rate: 0.3, effect: stale });

    await Promise.all([
      ...dying.map((caller) => workUntilDeath(caller, hands)),
      ...alive.map((caller) => workAsLongAsThereIs(caller, hands)),
    ]);
    given().passTime(LEASE_MS);
    for (const { holder } of dying) hands.expired(holder);
    await Promise.all(alive.map((caller) => workAsLongAsThereIs(caller, hands)));
    for (const rule of [busy, behind]) faults.remove(rule);

    expect(hands.violations).toEqual([]);
    expect(await statesIn(stage)).toEqual({ done: DOCUMENTS });
    expect(Math.max(...hands.worked.values())).toBe(1);
    // A caller that died before the answer to its last write left a document that is done and that no caller counted.
    expect(hands.worked.size).toBeGreaterThanOrEqual(DOCUMENTS - dying.length);
    report(name, given(), mark, performance.now() - startedAtMs);
    for (const { dispose } of callers) dispose();
  }, 600_000);
});

async function fill({ container }: Fixture): Promise<void> {
  const documents = Array.from({ length: DOCUMENTS }, (_, n): Document => {
    return { id: `n${n}`, tenant: `t${n % TENANTS}`, state: "requested" };
  });
  for (const [tenant, some] of Map.groupBy(documents, (document) => document.tenant)) {
    for (let from = 0; from < some.length; from += 50) {
      const operations = some.slice(from, from + 50).map((resourceBody) => {
        return { operationType: "Create" as const, resourceBody: resourceBody as unknown as JSONObject };
      });
      await container.items.batch(operations, tenant);
    }
  }
}

interface Document {
  readonly id: string;
  readonly tenant: string;
  readonly state: string;
}

async function statesIn({ container }: Fixture): Promise<Readonly<Record<string, number>>> {
  const { resources } = await container.items.query<string>("SELECT VALUE c.state FROM c").fetchAll();
  return Object.fromEntries(
    Object.entries(Object.groupBy(resources, (it) => it)).map(([k, v]) => [k, v?.length ?? 0]),
  );
}

type Mark = ReturnType<CosmosEmulator["requestLog"]["mark"]>;

function report(name: string, { emulator }: Fixture, mark: Mark, elapsedMs: number): void {
  if (WANTED === undefined) return;
  const { total, byOperation } = emulator.requestLog.since(mark);
  const kinds = [...byOperation].map(
    ([kind, { requests, charge }]) => `${kind} ${requests} (${charge.toFixed(0)} RU)`,
  );
  const perDocument = `${(total.requests / DOCUMENTS).toFixed(2)} requests, ${(total.charge / DOCUMENTS).toFixed(1)} RU`;
  process.stderr.write(
    `${name}: ${(elapsedMs / 1_000).toFixed(1)} s; each document ${perDocument}; ${kinds.join(", ")}\n`,
  );
}

/** Whether a query that an index serves stays as fast when the container grows a thousandfold. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { percentile, round } from "../figures.ts";
import { type Account, signedHeaders } from "./signed-request.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const BATCH = 100;
const ITEMS_OF_ONE_OWNER = 10;
const QUERIES = 300;
/** All of them among the first documents: what grows is the number of other types. */
const INSTANCES = 200;

interface Query {
  readonly text: string;
  /** The parameter `@value`, for an item from anywhere in the container. */
  valueFor(item: number): string | number;
}

const isUnlocked = "(NOT IS_DEFINED(c.lockedUntil) OR c.lockedUntil = null OR c.lockedUntil <= @value)";
const candidates = (unlocked: string): Query => ({
  text: `SELECT TOP 20 c.id, c.visibleAt FROM c WHERE c.type = 'instance' AND c.visibleAt <= @value AND ${unlocked} ORDER BY c.visibleAt`,
  valueFor: () => INSTANCES,
});

/** Each gives as many rows at every size: ten, or twenty candidates. */
const QUERY_TEXTS: Readonly<Record<string, Query>> = {
  equality: {
    text: "SELECT * FROM c WHERE c.owner = @value",
    valueFor: (item) => `owner-${Math.floor(item / ITEMS_OF_ONE_OWNER)}`,
  },
  "range in order": {
    text: "SELECT TOP 10 * FROM c WHERE c.dueAt >= @value ORDER BY c.dueAt",
    valueFor: (item) => item,
  },
  candidates: candidates("c.lockedUntil <= @value"),
  "candidates, some never locked": candidates(isUnlocked),
};

/** Indexing policy of a provider that looks for work. */
const INDEXING_POLICY = {
  includedPaths: [{ path: "/*" }],
  excludedPaths: [],
  compositeIndexes: [[{ path: "/type" }, { path: "/visibleAt" }]],
};

const DATABASE = "dbs/bench";
const CONTAINER = `${DATABASE}/colls/items`;

/** The endpoint in this process, in memory, over HTTP. One container that grows. */
export async function measureIndexScale(): Promise<readonly object[]> {
  await using emulator = await CosmosEmulator.start({ port: 0, requestLogSize: 0 });
  await post(emulator, "dbs", "", "dbs", { id: "bench" });
  const definition = {
    id: "items",
    partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 },
    indexingPolicy: INDEXING_POLICY,
  };
  await post(emulator, `${DATABASE}/colls`, DATABASE, "colls", definition);
  const results: object[] = [];
  let stored = 0;
  for (const documents of SIZES) {
    for (; stored < documents; stored += BATCH) await store(emulator, stored);
    for (const [name, query] of Object.entries(QUERY_TEXTS)) {
      const timed = await time(emulator, query, documents);
      results.push({ workload: "index-scale", query: name, documents, ...timed });
    }
  }
  return results;
}

/** Each batch is a partition; ten items of it have one owner. */
async function store(account: Account, first: number): Promise<void> {
  const pk = `p${first / BATCH}`;
  const operations = Array.from({ length: BATCH }, (_, index) => {
    const n = first + index;
    const owner = `owner-${Math.floor(n / ITEMS_OF_ONE_OWNER)}`;
    const type = n < INSTANCES ? "instance" : "history";
    const body = {
      id: `i${n}`,
      pk,
      type,
      owner,
      dueAt: n,
      visibleAt: n,
      lockedUntil: n % 2,
      state: "waiting",
    };
    return { operationType: "Create", resourceBody: body };
  });
  const headers = {
    ...keyHeader(pk),
    "x-ms-cosmos-is-batch-request": "True",
    "x-ms-cosmos-batch-atomic": "True",
  };
  const answer = await post(account, `${CONTAINER}/docs`, CONTAINER, "docs", operations, headers);
  await answer.arrayBuffer();
}

async function time(account: Account, { text, valueFor }: Query, documents: number) {
  const latencies: number[] = [];
  let rows = 0;
  let charge = 0;
  for (let n = 0; n < QUERIES; n++) {
    // Owners and times from all over the container.
    const item = (n * 7919) % (documents - ITEMS_OF_ONE_OWNER);
    const begin = performance.now();
    const answer = await ask(account, text, valueFor(item));
    latencies.push(performance.now() - begin);
    ({ rows, charge } = answer);
  }
  const [first = 0, ...others] = latencies;
  return {
    rows,
    // The first query of its kind creates the index.
    first_ms: round(first),
    p50_ms: round(percentile(others, 50)),
    p99_ms: round(percentile(others, 99)),
    charge,
  };
}

/** Sends the query with the header of the range, as an SDK does, so that ORDER BY is served directly. */
async function ask(
  account: Account,
  query: string,
  value: unknown,
): Promise<{ rows: number; charge: number }> {
  const headers = {
    "content-type": "application/query+json",
    "x-ms-documentdb-isquery": "True",
    "x-ms-documentdb-query-enablecrosspartition": "True",
    "x-ms-documentdb-partitionkeyrangeid": "0",
  };
  const body = { query, parameters: [{ name: "@value", value }] };
  const answer = await post(account, `${CONTAINER}/docs`, CONTAINER, "docs", body, headers);
  const { _count: rows } = (await answer.json()) as { _count: number };
  return { rows, charge: Number(answer.headers.get("x-ms-request-charge")) };
}

async function post(
  { endpoint, key }: Account,
  path: string,
  signedLink: string,
  resourceType: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const signed = signedHeaders(key, { method: "POST", resourceType, signedLink });
  const request = { method: "POST", headers: { ...signed, ...headers }, body: JSON.stringify(body) };
  const answer = await fetch(new URL(path, endpoint), request);
  if (!answer.ok) throw new Error(`POST ${path} gave ${answer.status}: ${await answer.text()}`);
  return answer;
}

const keyHeader = (pk: string): Record<string, string> => ({
  "x-ms-documentdb-partitionkey": JSON.stringify([pk]),
});

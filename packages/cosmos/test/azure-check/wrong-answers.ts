/** Answers of an endpoint that does one thing wrong, by the gate that must notice it. */

import type { ProxiedAnswer, ProxiedRequest } from "../../../../test/support/fault-proxy/fault-proxy.ts";
import type { Scale } from "../../azure-check/scale.ts";

export interface WrongAnswer {
  readonly gate: string;
  /** Fault of the endpoint, as a name for the test. */
  readonly name: string;
  /** Sender of the requests that are answered so; the check by default. */
  readonly asker?: "check" | "provider";
  readonly scale?: Partial<Scale>;
  readonly match: (request: ProxiedRequest) => boolean;
  readonly change: (answer: ProxiedAnswer) => ProxiedAnswer;
}

type Fields = Record<string, unknown>;

const isAccount = ({ method, path }: ProxiedRequest): boolean => method === "GET" && path === "/";
const isContainer = ({ method, path }: ProxiedRequest): boolean =>
  method === "GET" && /\/colls\/[^/]+$/.test(path);
const isRanges = ({ path }: ProxiedRequest): boolean => path.endsWith("/pkranges");
const isBatch = ({ headers }: ProxiedRequest): boolean =>
  headers["x-ms-cosmos-is-batch-request"] !== undefined;
const isBatchOf =
  (text: string) =>
  (request: ProxiedRequest): boolean =>
    isBatch(request) && request.body.includes(text);
const isQuery =
  (text: string) =>
  ({ headers, body }: ProxiedRequest): boolean =>
    headers["x-ms-documentdb-isquery"] !== undefined && body.includes(text);

/** The JSON of the body, where there is one. */
const inBody =
  (change: (body: Fields) => unknown) =>
  (answer: ProxiedAnswer): ProxiedAnswer =>
    answer.status < 300
      ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body) as Fields)) }
      : answer;

const inEntries = (change: (entries: Fields[]) => Fields[]): ((answer: ProxiedAnswer) => ProxiedAnswer) =>
  inBody((body) => change(body as unknown as Fields[]));

const inRows = (change: (rows: unknown[]) => unknown[]): ((answer: ProxiedAnswer) => ProxiedAnswer) =>
  inBody((body) => ({ ...body, Documents: change(body["Documents"] as unknown[]) }));

const withHeader =
  (name: string, value: string | undefined) =>
  (answer: ProxiedAnswer): ProxiedAnswer => ({ ...answer, headers: { ...answer.headers, [name]: value } });

const withStatus =
  (from: number, to: number) =>
  (answer: ProxiedAnswer): ProxiedAnswer => ({
    ...answer,
    body: answer.body.replaceAll(`"statusCode":${from}`, `"statusCode":${to}`),
  });

const withExtraRow = inRows((rows) => [...rows, { id: `half-${rows.length}-${performance.now()}` }]);

export const WRONG_ANSWERS: readonly WrongAnswer[] = [
  {
    gate: "reachable",
    name: "refuses the key",
    match: isAccount,
    change: (answer) => ({ ...answer, status: 401 }),
  },
  {
    gate: "one-write-region",
    name: "has two write regions",
    match: isAccount,
    change: inBody((body) => ({
      ...body,
      writableLocations: [1, 2].map(() => (body["writableLocations"] as unknown[])[0]),
    })),
  },
  {
    gate: "consistency",
    name: "is eventually consistent",
    match: isAccount,
    change: inBody((body) => ({ ...body, userConsistencyPolicy: { defaultConsistencyLevel: "Eventual" } })),
  },
  {
    gate: "clock-skew",
    name: "has another clock",
    match: isAccount,
    change: (answer) => ({
      ...answer,
      headers: { ...answer.headers, date: new Date(Date.now() - 3_600_000).toUTCString() },
    }),
  },
  {
    gate: "created",
    name: "forgets the time to live",
    match: isContainer,
    change: inBody(({ defaultTtl: _, ...body }) => body),
  },
  {
    gate: "indexing-policy",
    name: "drops the composite indexes",
    match: isContainer,
    change: inBody((body) => ({
      ...body,
      indexingPolicy: { ...(body["indexingPolicy"] as Fields), compositeIndexes: [] },
    })),
  },
  {
    gate: "second-open",
    name: "changes the container",
    match: isContainer,
    change: inBody((body) => ({ ...body, _etag: `"${performance.now()}"` })),
  },
  {
    gate: "batch-statuses",
    name: "answers 200 for an upsert that creates",
    match: isBatchOf('"Upsert"'),
    change: inEntries((entries) =>
      entries.map((entry, n) => (n === 1 ? { ...entry, statusCode: 200 } : entry)),
    ),
  },
  {
    gate: "batch-etags",
    name: "gives an etag that is not stored",
    match: isBatchOf('"Upsert"'),
    change: inEntries((entries) =>
      entries.map((entry, n) => (n === 2 ? { ...entry, eTag: '"other"' } : entry)),
    ),
  },
  {
    gate: "batch-session",
    name: "gives no path with the token of a batch",
    match: isBatch,
    change: withHeader("x-ms-content-path", undefined),
  },
  {
    gate: "etag-replace",
    name: "takes a wrong etag for a conflict",
    match: isBatchOf('"Replace"'),
    change: withStatus(412, 409),
  },
  {
    gate: "etag-replace",
    name: "keeps a part of a refused batch",
    match: isQuery("c._etag"),
    change: withExtraRow,
  },
  {
    gate: "etag-patch",
    name: "ignores the etag of a patch",
    match: isBatchOf('"Patch"'),
    change: withStatus(412, 200),
  },
  {
    gate: "etag-delete",
    name: "ignores the etag of a delete",
    match: isBatchOf('"Delete"'),
    change: withStatus(412, 204),
  },
  {
    gate: "conflict",
    name: "replaces what exists",
    match: isBatchOf('"Create"'),
    change: withStatus(409, 201),
  },
  {
    gate: "absent",
    name: "takes what is absent for changed",
    match: isBatchOf('"Delete"'),
    change: withStatus(404, 412),
  },
  {
    gate: "creation-order",
    name: "numbers documents in no order",
    match: isBatch,
    change: inEntries((entries) => entries.toReversed()),
  },
  {
    gate: "session-reads",
    name: "reads stale in spite of the token",
    match: isQuery("c.n FROM"),
    change: inRows(() => [-1]),
  },
  {
    gate: "answer-positions",
    name: "names an earlier position than that of its replica",
    match: isQuery("c.n FROM"),
    change: withHeader("x-ms-session-token", "0:-1#1"),
  },
  {
    gate: "answer-positions",
    name: "names no container",
    match: isQuery("c.n FROM"),
    change: withHeader("x-ms-content-path", undefined),
  },
  {
    gate: "refusal-positions",
    name: "names no position where it refuses",
    match: isBatchOf('"wrong"'),
    change: withHeader("x-ms-session-token", undefined),
  },
  {
    gate: "range-shape",
    name: "has numbers as ids of ranges",
    match: isRanges,
    change: inBody((body) => ({
      ...body,
      PartitionKeyRanges: (body["PartitionKeyRanges"] as Fields[]).map((range, n) => ({ ...range, id: n })),
    })),
  },
  {
    gate: "range-queries",
    name: "does not sort within a range",
    match: isQuery("ORDER BY"),
    change: inRows((rows) => rows.toReversed()),
  },
  {
    gate: "range-gone",
    name: "does not know a range that is gone",
    match: ({ headers }) => headers["x-ms-documentdb-partitionkeyrangeid"] === "4242",
    change: (answer) => ({ ...answer, status: 400 }),
  },
  {
    gate: "range-recovery",
    name: "goes on listing a range that is gone",
    asker: "provider",
    scale: { patienceMs: 3_000 },
    match: isRanges,
    change: inBody((body) => ({
      ...body,
      PartitionKeyRanges: (body["PartitionKeyRanges"] as Fields[])
        .slice(0, 1)
        .map((range) => ({ ...range, id: "4242", minInclusive: "", maxExclusive: "FF" })),
    })),
  },
  {
    gate: "queries-seeded",
    name: "leaves a document out",
    match: isQuery("IS_DEFINED(c.type)"),
    change: inRows((rows) => rows.slice(1)),
  },
  {
    gate: "queries-served",
    name: "refuses a list as a parameter",
    match: isQuery("ARRAY_CONTAINS"),
    change: (answer) => ({ ...answer, status: 400, body: '{"code":"BadRequest","message":"no"}' }),
  },
  {
    gate: "queries-rows",
    name: "leaves rows out",
    match: isQuery("c.type = 'history'"),
    change: inRows((rows) => rows.slice(0, -1)),
  },
];

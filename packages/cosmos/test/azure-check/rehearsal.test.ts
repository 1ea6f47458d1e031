/**
 * The check on an endpoint of our own: every request of phases 0 to 2, with few documents. What it recorded is answered
 * the same again, and its queries are those of the provider.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import {
  type Difference,
  type RecordedExchange,
  type Recording,
  replay,
} from "@duroxide-ts/cosmos-emulator/conformance";
import { beforeAll, describe, expect, it } from "vitest";
import { openPlace } from "../../azure-check/place.ts";
import { readsOf } from "../../azure-check/queries/bounds.ts";
import type { CollectedQueries } from "../../azure-check/queries/collect.ts";
import type { CheckReport } from "../../azure-check/report.ts";
import { runCheck } from "../../azure-check/run.ts";
import { QUICK } from "../../azure-check/scale.ts";
import { STEPS } from "../../azure-check/steps.ts";

let report: CheckReport;
let recording: Recording;
let collected: CollectedQueries;
let key: string;

beforeAll(async () => {
  await using place = await openPlace({ kind: "rehearsal", withIdentity: false, physicalPartitions: 2 });
  key = place.key ?? "";
  const made = new Map<string, Promise<unknown>>();
  report = await runCheck({
    place,
    steps: STEPS.filter(({ phase }) => phase === 0 || phase === 1 || phase === 2),
    scale: QUICK,
    made,
    // As it is read from a file.
    onRecording: (it) => {
      recording = JSON.parse(JSON.stringify(it)) as Recording;
    },
  });
  collected = (await made.get("queries")) as CollectedQueries;
});

describe("the rehearsal", () => {
  it("finds every gate and every expectation of phases 0 to 2 green", () => {
    const notGreen = report.steps.flatMap(({ id, findings }) =>
      findings.filter(({ verdict }) => verdict !== "green").map((each) => ({ id, ...each })),
    );
    expect(notGreen).toEqual([]);
    expect([report.outcome, report.databaseRemoved]).toEqual(["green", true]);
  });

  it("has no key in its report", () => {
    expect(JSON.stringify(report)).not.toContain(key);
  });
});

describe("the queries of the probes", () => {
  it("are all that stand in the sources of the provider", () => {
    const sent = collected.queries.map(({ text }) => inOneLine(text));
    const missing = textsInSources().filter((text) => !sent.some((each) => each.startsWith(text)));
    expect(missing, "let azure-check/queries/workload.ts make a call that sends them").toEqual([]);
  });
});

describe("a query over physical partitions", () => {
  const scans = () =>
    collected.queries
      .filter(({ partitionKey }) => partitionKey === undefined)
      .map(({ text }) => inOneLine(text));

  it("for due work has an order whose properties a composite index has", () => {
    const due = scans().filter((text) => /c\.type = '\w+_queue' AND c\.visibleAt <= @now/.test(text));
    const orders = due.filter((text) => text.startsWith("SELECT VALUE COUNT") === false);
    expect(orders.length).toBeGreaterThan(1);
    for (const text of orders) expect(text).toMatch(/ ORDER BY c\.type, c\.visibleAt, c\.enqueuedAt$/);
  });

  it("has no alternative that no index serves: what is postponed is looked up in its own partition", () => {
    expect(scans().filter((text) => /\bOR c\.duroxideTs\.postponedFrom/.test(text))).toEqual([]);
  });

  it("for unfinished work has no condition and no order on what every instance has", () => {
    const unfinished = scans().filter((text) => text.includes("'commit_intent'"));
    expect(unfinished).toHaveLength(1);
    expect(unfinished[0]).not.toMatch(/createdAt|updatedAt|ORDER BY/);
  });
});

it("every query of the provider has a bound of its cost", () => {
  const without = collected.queries.filter((query) => readsOf(query) === undefined);
  expect(without.map(({ text }) => inOneLine(text))).toEqual([]);
});

describe("docs/cosmos/queries.md", () => {
  it("has a row for every query over physical partitions, and for no other", () => {
    const page = readFileSync(path.join(SOURCES, "../../../docs/cosmos/queries.md"), "utf8");
    const documented = [...page.matchAll(/^\| `(SELECT .*?)` \|/gm)].map(([, text = ""]) => text);
    const sent = collected.queries
      .filter(({ partitionKey }) => partitionKey === undefined)
      .map(({ text }) => inOneLine(text));
    expect(sent.filter((text) => !documented.some((begin) => text.startsWith(begin)))).toEqual([]);
    expect(documented.filter((begin) => !sent.some((text) => text.startsWith(begin)))).toEqual([]);
  });
});

describe("a recording of the rehearsal", () => {
  it("is answered as it was", async () => {
    expect(recording.exchanges.length).toBeGreaterThan(50);
    expect(await replayed(recording)).toEqual([]);
  });

  it("has neither keys nor tokens, dates or activity ids", () => {
    const text = JSON.stringify(recording);
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/authorization|type%3Dmaster|sig=|duroxide-check-/i);
    expect(text).not.toMatch(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4}/);
    const ids = recording.exchanges.map(({ answer }) => answer.headers["x-ms-activity-id"]);
    expect(new Set(ids)).toEqual(new Set([""]));
  });

  it.each(doctored())("with $name is not answered so", async ({ match, change }) => {
    const differences = await replayed(withChange(match, change));
    expect(differences.length).toBeGreaterThan(0);
  });
});

type Answer = RecordedExchange["answer"];

interface Doctored {
  readonly name: string;
  readonly match: (exchange: RecordedExchange) => boolean;
  readonly change: (answer: Answer) => Partial<Answer>;
}

function doctored(): readonly Doctored[] {
  const isBatch = ({ step, answer }: RecordedExchange): boolean =>
    step === "2.1" && answer.headers["x-ms-item-count"] === "5";
  const inEntries = (change: (entry: object, n: number) => object) => (answer: Answer) => ({
    body: (answer.body as readonly object[]).map(change),
  });
  return [
    { name: "another status", match: isBatch, change: () => ({ status: 207 }) },
    {
      name: "another sub-status",
      match: ({ answer }) => answer.substatus === 1002,
      change: () => ({ substatus: 1007 }),
    },
    {
      name: "one header less",
      match: isBatch,
      change: ({ headers: { "x-ms-session-token": _, ...headers } }) => ({ headers }),
    },
    {
      name: "the status of another operation",
      match: isBatch,
      change: inEntries((entry, n) => (n === 1 ? { ...entry, statusCode: 200 } : entry)),
    },
    { name: "one entry less", match: isBatch, change: ({ body }) => ({ body: (body as []).slice(1) }) },
    {
      name: "another kind of value",
      match: isBatch,
      change: inEntries((entry) => ({ ...entry, requestCharge: "1" })),
    },
  ];
}

/** The first exchange of that kind, changed. */
function withChange(match: Doctored["match"], change: Doctored["change"]): Recording {
  const at = recording.exchanges.findIndex(match);
  expect(at, "there is no such exchange").toBeGreaterThanOrEqual(0);
  const exchanges = recording.exchanges.map((each, n) =>
    n === at ? { ...each, answer: { ...each.answer, ...change(each.answer) } } : each,
  );
  return { ...recording, exchanges };
}

async function replayed(changed: Recording): Promise<readonly Difference[]> {
  const { physicalPartitions } = changed;
  await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions });
  return await replay(changed, emulator.endpoint, emulator.key);
}

const SOURCES = path.resolve(import.meta.dirname, "../../src");

/**
 * Finds the texts of queries, each up to the first place that is filled in. Leases on documents are for other
 * containers.
 */
function textsInSources(): readonly string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("document-leases"))
    .map((file) => readFileSync(path.join(SOURCES, file), "utf8"));
  const texts = files.flatMap((source) =>
    [...source.matchAll(/[`"](SELECT [^`"$]*)/g)].map(([, text = ""]) => text),
  );
  return [...new Set(texts.map(inOneLine))].filter((text) => text !== "SELECT");
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

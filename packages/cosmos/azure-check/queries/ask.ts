/** Sends a query of the provider as the provider sends it, without the SDK, and keeps what came. */
import type { Headers, Items, Reply } from "@duroxide-ts/cosmos-emulator/conformance";
import type { AskedQuery, Parameter } from "./capture.ts";

export interface Answers {
  /** Reply to the first page that was refused; undefined if all were served. */
  readonly refused: Reply | undefined;
  readonly replies: readonly Reply[];
  /** Rows by physical partition; one list if the query names a partition key. */
  readonly rows: readonly (readonly unknown[])[];
}

const RANGE = "x-ms-documentdb-partitionkeyrangeid";

/** All pages, or the first one, of each physical partition where the query names none. */
export async function ask(
  items: Items,
  query: AskedQuery,
  { headers = {}, pages = "all" }: { readonly headers?: Headers; readonly pages?: "all" | "first" } = {},
): Promise<Answers> {
  const { partitionKey } = query;
  const scopes: readonly Headers[] =
    partitionKey === undefined ? (await items.rangeIds()).map((id) => ({ [RANGE]: id })) : [{}];
  const replies: Reply[] = [];
  const rows: unknown[][] = [];
  for (const scope of scopes) {
    const found: unknown[] = [];
    rows.push(found);
    let continuation: string | undefined;
    do {
      const more: Headers = continuation === undefined ? {} : { "x-ms-continuation": continuation };
      const reply = await items.query(query.text, {
        ...(partitionKey !== undefined && { key: [partitionKey] }),
        parameters: query.parameters.map(({ name, value }) => ({ name, value })),
        headers: { ...headers, ...scope, ...more },
      });
      replies.push(reply);
      if (reply.status !== 200) return { refused: reply, replies, rows };
      found.push(...reply.list);
      continuation = reply.header("x-ms-continuation");
    } while (pages === "all" && continuation !== undefined && continuation !== "");
  }
  return { refused: undefined, replies, rows };
}

/**
 * Returns what must be equal on two endpoints: rows in no order, counts as their sum, without what the service makes
 * up.
 */
export function comparable(query: AskedQuery, { rows }: Answers): readonly string[] {
  const all = rows.flat();
  if (query.text.includes("COUNT(1)"))
    return [String(all.reduce<number>((sum, each) => sum + Number(each), 0))];
  return all.map((row) => JSON.stringify(withoutSystemFields(row))).toSorted();
}

const SYSTEM_FIELDS: readonly string[] = ["_rid", "_self", "_etag", "_attachments", "_ts"];

function withoutSystemFields(row: unknown): unknown {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row;
  const kept = Object.entries(row).filter(([name]) => !SYSTEM_FIELDS.includes(name));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether the rows of each physical partition are in the order that the query asks for, as far as they show it. */
export function isInOrder({ text }: AskedQuery, { rows }: Answers): boolean {
  const [, property = "", descending] = /ORDER BY (?:c\.type, )?c\.(\w+)( DESC)?/.exec(text) ?? [];
  if (property === "") return true;
  return rows.every((each) => {
    const values = each.map((row) => Number(Object(row)[property])).filter(Number.isFinite);
    const isBehind = (value: number, before = value): boolean =>
      descending === undefined ? before > value : before < value;
    return !values.some((value, n) => isBehind(value, values[n - 1]));
  });
}

const LONG_LIST = 256;
const FAR_FUTURE_MS = 4_102_444_800_000;
const TIMES: readonly string[] = ["@now", "@cutoff", "@latest", "@late", "@late0", "@late1"];

/** The query as it was asked, and with the parameters that no run sends so soon. */
export function variantsOf(query: AskedQuery): readonly AskedQuery[] {
  const change = (map: (parameter: Parameter) => Parameter): AskedQuery => ({
    ...query,
    parameters: query.parameters.map(map),
  });
  const longLists = change(({ name, value }) => ({
    name,
    value: Array.isArray(value) ? longer(value) : value,
  }));
  const later = change(({ name, value }) => ({ name, value: TIMES.includes(name) ? FAR_FUTURE_MS : value }));
  const nulls = change(({ name, value }) => ({ name, value: Array.isArray(value) ? value : null }));
  return [
    {
      ...later,
      parameters: [...later.parameters, { name: "@unused", value: "x" }, { name: "@none", value: null }],
    },
    ...(query.parameters.some(({ value }) => Array.isArray(value)) ? [longLists] : []),
    ...(query.parameters.some(({ value }) => !Array.isArray(value)) ? [nulls] : []),
  ];
}

function longer(list: readonly unknown[]): readonly unknown[] {
  const isOfNumbers = list.length > 0 && list.every((each) => typeof each === "number");
  const fillers = Array.from({ length: LONG_LIST }, (_, n) => (isOfNumbers ? -1 - n : `filler-${n}`));
  return [...list, ...fillers].slice(0, Math.max(LONG_LIST, list.length));
}

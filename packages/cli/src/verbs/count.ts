/** `duroxide count`: how many instances match, by their properties. */
import type { CountKey, InstanceCount } from "@duroxide-ts/core";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { FILTER_FLAGS, inStates, LOOKS, type State, selectionOf } from "../instances/filter-flags.ts";
import { printListing } from "../output/listing.ts";
import type { Column } from "../output/table.ts";
import { count as shownCount } from "../text/times.ts";

const { waiting: _waiting, ...COUNTED } = FILTER_FLAGS;

const FLAGS = {
  ...COUNTED,
  by: { kind: "list", value: "A,B", choices: ["status", "name", "version"], help: "status, name, version" },
} as const;

const HEADS: Readonly<Record<CountKey, string>> = {
  name: "ORCHESTRATION",
  version: "VERSION",
  status: "STATUS",
};

export const count: Verb = defineVerb({
  name: "count",
  takes: "",
  flags: FLAGS,
  details: `
It reads all that match, which costs accordingly on Cosmos DB.`,
  examples: [
    ["count --by name,version,status --status running,blocked", "which versions still run"],
    ["count --status failed --since 1d", "one number"],
  ],
  run: countInstances,
});

async function countInstances(call: Call<typeof FLAGS>): Promise<ExitCode> {
  const { flags, form, terminal } = call;
  const by = (flags.by ?? []) as readonly CountKey[];
  const states = flags.status as readonly State[] | undefined;
  if (states?.some((state) => LOOKS.has(state))) {
    throw usage(
      "waiting, retrying, cancelling and compensating are not counted",
      "duroxide list --status waiting --limit 1000 -o ids | wc -l",
    );
  }
  const { client } = await call.store("read");
  const rows: InstanceCount[] = [];
  for (const state of states ?? [undefined]) {
    const base = selectionOf({ ...flags, status: undefined, waiting: undefined }, terminal.clock.now())
      .filters[0];
    const filter = state === undefined ? base : inStates(base ?? {}, [state])[0];
    const { counts } = await client.admin.count(filter, by);
    rows.push(...named(counts, by, state));
  }
  const summed = sum(rows);
  const columns: Column<InstanceCount>[] = [
    ...by.map((key, at) => ({ head: HEADS[key], cell: (row: InstanceCount) => row.key[at] ?? "" })),
    { head: "COUNT", cell: (row: InstanceCount) => shownCount(row.count), right: true },
  ];
  printListing(terminal, form, {
    columns,
    rows: summed,
    value: (row) => ({ ...Object.fromEntries(by.map((key, at) => [key, row.key[at]])), count: row.count }),
    empty: "0",
  });
  return EXIT.ok;
}

/** The status is the state that was asked for, where one was. */
function named(
  rows: readonly InstanceCount[],
  by: readonly CountKey[],
  state: State | undefined,
): InstanceCount[] {
  return rows.map(({ key, count: number }) => ({
    key: key.map((value, at) => (by[at] === "status" ? (state ?? statusWord(value)) : value)),
    count: number,
  }));
}

function statusWord(status: string): string {
  return status === "ContinuedAsNew" ? "running" : status.toLowerCase();
}

function sum(rows: readonly InstanceCount[]): InstanceCount[] {
  const sums = new Map<string, InstanceCount>();
  for (const row of rows) {
    const name = JSON.stringify(row.key);
    sums.set(name, { key: row.key, count: (sums.get(name)?.count ?? 0) + row.count });
  }
  return [...sums.values()].sort((a, b) => (a.key.join("\n") < b.key.join("\n") ? -1 : 1));
}

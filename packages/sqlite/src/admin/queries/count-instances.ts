/**
 * Counts of instances. A count reads all that can match, in steps of a few milliseconds, so that other work of the
 * process goes on in between; the steps are not one snapshot.
 */
import {
  type CountKey,
  checkCountKeys,
  checkInstanceQueryFilter,
  type InstanceCount,
  type InstanceQueryFilter,
} from "@duroxide-ts/core/stores";
import type { Database } from "../../connection/database.ts";
import { fromText } from "../../rows/codec.ts";
import type { Store } from "../../store.ts";
import { type Condition, conditionsOf } from "./conditions.ts";
import { namesOf } from "./ranges.ts";

const OPERATION = "countInstances";

/** Instances that a step examines. */
const STEP = 20_000;

/** The properties that the index over names has. */
const INDEXED: ReadonlySet<string> = new Set<keyof InstanceQueryFilter>(["name", "version", "status"]);

interface Group {
  readonly name: string;
  readonly version: string | null;
  readonly status: string;
  readonly count: number;
}

const GROUPS = "orchestration_name AS name, orchestration_version AS version, status, count(*) AS count";

export async function countInstances(
  store: Store,
  filter: InstanceQueryFilter = {},
  by: readonly CountKey[] = [],
): Promise<readonly InstanceCount[]> {
  checkInstanceQueryFilter(OPERATION, filter);
  checkCountKeys(OPERATION, by);
  const conditions = conditionsOf(filter);
  const counts = new Counts(by);
  const isIndexed = conditions.every(({ of }) => INDEXED.has(of));
  if (isIndexed) await countByName(store, conditions, counts);
  else await countInSteps(store, conditions, counts);
  return counts.all();
}

async function countByName(store: Store, conditions: readonly Condition[], counts: Counts): Promise<void> {
  const names = await store.read(OPERATION, (db) => namesOf(db, -1));
  const sql = `SELECT ${GROUPS} FROM instances INDEXED BY instances_by_name
    WHERE orchestration_name = ? AND orchestration_name IS NOT NULL ${andAll(conditions)} GROUP BY 1, 2, 3`;
  const values = conditions.flatMap((each) => each.values);
  for (const name of names) {
    for (const group of await store.read(OPERATION, (db) => db.all<Group>(sql, name, ...values))) {
      counts.add(group);
    }
  }
}

async function countInSteps(store: Store, conditions: readonly Condition[], counts: Counts): Promise<void> {
  const sql = `SELECT ${GROUPS} FROM instances
    WHERE instance_key > ? AND instance_key <= ? AND orchestration_name IS NOT NULL ${andAll(conditions)} GROUP BY 1, 2, 3`;
  const values = conditions.flatMap((each) => each.values);
  for (let from = 0; ; ) {
    const step = await store.read(OPERATION, (db) => {
      const to = endOfStep(db, from);
      return { to, groups: to === undefined ? [] : db.all<Group>(sql, from, to, ...values) };
    });
    for (const group of step.groups) counts.add(group);
    if (step.to === undefined) return;
    from = step.to;
  }
}

/** The last key of the next step; `undefined` at the end. */
function endOfStep(db: Database, from: number): number | undefined {
  const sql =
    "SELECT max(instance_key) AS last FROM (SELECT instance_key FROM instances WHERE instance_key > ? ORDER BY instance_key LIMIT ?)";
  return db.get<{ last: number | null }>(sql, from, STEP)?.last ?? undefined;
}

function andAll(conditions: readonly Condition[]): string {
  return conditions.map(({ sql }) => `AND (${sql})`).join(" ");
}

class Counts {
  readonly #by: readonly CountKey[];
  readonly #counts = new Map<string, { readonly key: readonly string[]; count: number }>();

  constructor(by: readonly CountKey[]) {
    this.#by = by;
    if (by.length === 0) this.#counts.set("[]", { key: [], count: 0 });
  }

  add(group: Group): void {
    const values = {
      status: group.status,
      name: fromText(group.name),
      version: fromText(group.version ?? "unknown"),
    };
    const key = this.#by.map((name) => values[name]);
    const text = JSON.stringify(key);
    const known = this.#counts.get(text);
    if (known === undefined) this.#counts.set(text, { key, count: group.count });
    else known.count += group.count;
  }

  all(): readonly InstanceCount[] {
    return [...this.#counts.values()];
  }
}

/**
 * Aggregates. SQLite's own functions do the counting and adding, since the oldest supported Node cannot
 * register aggregates; what differs in Cosmos DB is put around them: undefined does not count, and SUM and AVG
 * over anything but numbers are undefined.
 */
import { queryError } from "../syntax/query-error.ts";
import type { CallNode, Expression } from "../syntax/tree.ts";
import { type Sql, sql } from "./sql-text.ts";
import type { Translator } from "./translator.ts";

export type AggregateName = "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";

const AGGREGATES: Readonly<Record<AggregateName, (value: Sql) => Sql>> = {
  COUNT: (value) => sql`CAST(count(${value}) AS TEXT)`,
  SUM: (value) => {
    const number = sql`cosmos_to_number(${value})`;
    return sql`(CASE WHEN count(${value}) = count(${number}) THEN cosmos_from_number(total(${number})) END)`;
  },
  AVG: (value) => {
    const number = sql`cosmos_to_number(${value})`;
    return sql`(CASE WHEN count(${value}) = count(${number}) THEN cosmos_from_number(avg(${number})) END)`;
  },
  MIN: (value) => {
    const key = sql`cosmos_sort_key(${value})`;
    return sql`cosmos_extreme(min(${key}), max(${key}))`;
  },
  MAX: (value) => {
    const key = sql`cosmos_sort_key(${value})`;
    return sql`cosmos_extreme(max(${key}), max(${key}))`;
  },
};

/** Finds the aggregate that is called, if it is one. */
export function aggregateName(call: CallNode): AggregateName | undefined {
  const name = call.name.toUpperCase();
  return Object.hasOwn(AGGREGATES, name) ? (name as AggregateName) : undefined;
}

export function isAggregate(expression: Expression): boolean {
  return expression.kind === "call" && aggregateName(expression) !== undefined;
}

/** Translates a call of an aggregate. */
export function aggregateValue(call: CallNode, translator: Translator): Sql {
  const name = aggregateName(call);
  const [argument, ...more] = call.args;
  if (name === undefined || argument === undefined || more.length > 0) {
    throw queryError("SC2050", `The ${call.name} aggregate takes 1 argument, not ${call.args.length}.`, call);
  }
  const { group } = translator;
  if (group === undefined) {
    const message = `The aggregate ${call.name} can stand in the SELECT clause only, and not inside another one.`;
    throw queryError("SC2100", message, call);
  }
  return AGGREGATES[name](group.add(translator.within({ group: undefined }).value(argument)));
}

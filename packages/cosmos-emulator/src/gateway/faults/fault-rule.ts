/** Fault rules, and the check of one that came from outside. */
import type { JsonValue } from "../../protocol/json.ts";
import { parsePartitionKeyHeader, partitionKeyText } from "../../protocol/partition-key.ts";
import { isWrite, OPERATION_KINDS, type OperationKind } from "../requests/operation-kind.ts";
import { checkEffect, type FaultEffect } from "./fault-effect.ts";
import { invalidFault, optionalCount, optionalText, rejectUnknown } from "./fault-input.ts";

/** The requests that a rule is about. A member that is left out matches all. */
export interface FaultMatch {
  /** An operation, several of them, or all that change something or do not. */
  readonly operation?: OperationKind | "read" | "write" | readonly OperationKind[];
  /** Names, as they stand in the path. */
  readonly database?: string;
  readonly container?: string;
  /** The value of the partition key header, such as "tenant-1"; the array of them for a hierarchical key. */
  readonly partitionKey?: JsonValue;
  /** The id of the physical partition that the request is about, by its header or its partition key. */
  readonly range?: string;
  /** Whether the request continues after a page. */
  readonly continued?: boolean;
}

/** A rule: the requests that it hits, how often, and its effect. */
export interface FaultRule {
  readonly match?: FaultMatch;
  /** Probability that a matching request is hit, from 0 to 1. Left out: always. */
  readonly rate?: number;
  /** Number of matching requests that pass before the rule begins. */
  readonly skip?: number;
  /** Number of requests that are hit before the rule ends. Left out: it stays. */
  readonly next?: number;
  readonly effect: FaultEffect;
}

/** The properties of a request by which rules match. */
export interface FaultTarget {
  readonly operation: OperationKind;
  readonly database: string;
  readonly container: string;
  /** The raw header. */
  readonly partitionKey: string | undefined;
  readonly continued: boolean;
  /** Returns the ids of the physical partitions that it is about; called for rules that name one. */
  ranges(): readonly string[];
  /** Returns the types of its operations; none where it is no batch. */
  operationTypes(): readonly JsonValue[];
}

/** Throws 400 for a rule that makes no sense, so that a mistyped one does not silently do nothing. */
export function checkFaultRule(input: JsonValue): FaultRule {
  const rule = rejectUnknown(input, "A fault rule", ["match", "rate", "skip", "next", "effect"]);
  const { rate, match } = rule;
  if (rate !== undefined && !(typeof rate === "number" && rate >= 0 && rate <= 1)) {
    throw invalidFault('"rate" is a number from 0 to 1.');
  }
  optionalCount(rule, "skip", 0);
  optionalCount(rule, "next", 1);
  if (match !== undefined) checkMatch(match);
  checkEffect(rule["effect"]);
  return rule as unknown as FaultRule;
}

function checkMatch(input: JsonValue): void {
  const known = ["operation", "database", "container", "partitionKey", "range", "continued"];
  const match = rejectUnknown(input, '"match"', known);
  const { operation, partitionKey, continued } = match;
  for (const name of ["database", "container", "range"]) optionalText(match, name);
  if (continued !== undefined && typeof continued !== "boolean") {
    throw invalidFault('"continued" is true or false.');
  }
  if (partitionKey !== undefined) keyText(partitionKey);
  if (operation !== undefined) checkOperation(operation);
}

function checkOperation(input: JsonValue): void {
  if (input === "read" || input === "write") return;
  const names: readonly JsonValue[] = Array.isArray(input) ? input : [input];
  const unknown = names.find((name) => typeof name !== "string" || !OPERATION_KINDS.has(name));
  if (unknown === undefined) return;
  throw invalidFault(
    `There is no operation ${JSON.stringify(unknown)}: "operation" is read, write, or of ${[...OPERATION_KINDS].join(", ")}.`,
  );
}

export function matches(match: FaultMatch | undefined, target: FaultTarget): boolean {
  if (match === undefined) return true;
  if (match.database !== undefined && match.database !== target.database) return false;
  if (match.container !== undefined && match.container !== target.container) return false;
  if (match.operation !== undefined && !matchesOperation(match.operation, target.operation)) return false;
  if (match.continued !== undefined && match.continued !== target.continued) return false;
  if (match.partitionKey !== undefined && !matchesPartitionKey(match.partitionKey, target.partitionKey)) {
    return false;
  }
  return match.range === undefined || target.ranges().includes(match.range);
}

function matchesOperation(wanted: NonNullable<FaultMatch["operation"]>, operation: OperationKind): boolean {
  if (wanted === "read") return !isWrite(operation);
  if (wanted === "write") return isWrite(operation);
  return typeof wanted === "string" ? wanted === operation : wanted.includes(operation);
}

function matchesPartitionKey(wanted: JsonValue, header: string | undefined): boolean {
  return header !== undefined && keyText(wanted) === partitionKeyText(parsePartitionKeyHeader(header));
}

/** Writes a partition key; 400 for what is none. */
function keyText(value: JsonValue): string {
  return partitionKeyText(parsePartitionKeyHeader(JSON.stringify(Array.isArray(value) ? value : [value])));
}

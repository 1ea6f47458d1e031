/** Checks of the arguments of queries, for the client and for every store. A misspelt filter is not "no filter". */
import { type OptionList, optionList } from "../options/option-list.ts";
import {
  checkChoice,
  checkContinuation,
  checkCount,
  checkFlag,
  checkInstant,
  checkNames,
  checkText,
  checkTexts,
  refusal,
  requireObject,
  requirePlainObject,
} from "./argument-checks.ts";
import { LISTED_STATUSES } from "./listed-status.ts";
import type {
  CountKey,
  DeadLetterQuery,
  FailureCategory,
  InstanceFilter,
  InstanceQuery,
  WorkQuery,
} from "./queries.ts";
import { checkTagConditions } from "./tag-conditions.ts";

/** Instances, rows or dead letters a page, unless the query says otherwise. */
export const DEFAULT_PAGE = 100;
const LARGEST_PAGE = 1_000;

/** The most UTF-8 bytes of an output that a list contains. */
export const MOST_LISTED_BYTES = 8_192;

/** How long after its last report a worker is listed. */
export const WORKER_LISTED_MS = 120_000;

const CATEGORIES: Readonly<Record<FailureCategory, true>> = {
  application: true,
  cancelled: true,
  "clean-up-failed": true,
  configuration: true,
  infrastructure: true,
  poison: true,
};
const COUNT_KEYS: Readonly<Record<CountKey, true>> = { status: true, name: true, version: true };
const ORDERS = ["created-desc", "created-asc", "updated-desc"];
const KINDS = ["orchestrator", "worker"];

const QUERY: OptionList = optionList<InstanceQuery>({
  filter: true,
  order: true,
  limit: true,
  continuation: true,
});
const FILTER: OptionList = optionList<InstanceFilter>({
  instanceIds: true,
  status: true,
  name: true,
  version: true,
  idPrefix: true,
  parentId: true,
  rootsOnly: true,
  createdFromMs: true,
  createdToMs: true,
  updatedFromMs: true,
  updatedToMs: true,
  completedBeforeMs: true,
  failureCategory: true,
  errorContains: true,
  blocked: true,
  suspended: true,
  tags: true,
  schedule: true,
});
const INSTANTS = [
  "createdFromMs",
  "createdToMs",
  "updatedFromMs",
  "updatedToMs",
  "completedBeforeMs",
] as const;
const WORK: OptionList = optionList<WorkQuery>({
  instanceId: true,
  kind: true,
  overdueByMs: true,
  tag: true,
  limit: true,
  continuation: true,
});
const DEAD_LETTERS: OptionList = optionList<DeadLetterQuery>({ limit: true, continuation: true });

/** `invalid-input` unless it is a query of instances. */
export function checkInstanceQuery(operation: string, query: InstanceQuery = {}): void {
  requireObject(operation, "the query", query);
  checkNames(operation, "the query", query, QUERY);
  checkInstanceFilter(operation, query.filter);
  checkChoice(operation, "order", query.order, ORDERS);
  checkPage(operation, query);
}

/** `invalid-input` unless it is a filter of instances. */
export function checkInstanceFilter(operation: string, filter: InstanceFilter = {}): void {
  requirePlainObject(operation, "the filter", filter);
  checkNames(operation, "the filter", filter, FILTER);
  checkTexts(operation, "instanceIds", filter.instanceIds);
  checkTexts(operation, "status", filter.status, LISTED_STATUSES);
  checkTexts(operation, "name", filter.name);
  checkTexts(operation, "version", filter.version);
  checkTexts(operation, "failureCategory", filter.failureCategory, Object.keys(CATEGORIES));
  checkText(operation, "idPrefix", filter.idPrefix);
  const { parentId } = filter;
  if (isList(parentId)) checkTexts(operation, "parentId", parentId);
  else checkText(operation, "parentId", parentId);
  checkText(operation, "errorContains", filter.errorContains);
  checkText(operation, "schedule", filter.schedule);
  checkFlag(operation, "rootsOnly", filter.rootsOnly);
  checkFlag(operation, "blocked", filter.blocked);
  checkFlag(operation, "suspended", filter.suspended);
  for (const name of INSTANTS) checkInstant(operation, name, filter[name]);
  checkTagConditions(operation, filter.tags);
}

function isList(value: string | readonly string[] | undefined): value is readonly string[] {
  return Array.isArray(value);
}

/** `invalid-input` unless it is a list of properties, each at most once. */
export function checkCountKeys(operation: string, by: readonly CountKey[] = []): void {
  checkTexts(operation, "the second argument", by, Object.keys(COUNT_KEYS));
  if (new Set(by).size === by.length) return;
  throw refusal(operation, "the second argument has a property twice; name each property once");
}

/** `invalid-input` unless it is a query of queue rows. */
export function checkWorkQuery(operation: string, query: WorkQuery = {}): void {
  requireObject(operation, "the query", query);
  checkNames(operation, "the query", query, WORK);
  checkText(operation, "instanceId", query.instanceId);
  checkChoice(operation, "kind", query.kind, KINDS);
  checkText(operation, "tag", query.tag);
  checkCount(operation, "overdueByMs", query.overdueByMs, 0);
  checkPage(operation, query);
}

/** `invalid-input` unless it is a query of dead letters. */
export function checkDeadLetterQuery(operation: string, query: DeadLetterQuery = {}): void {
  requireObject(operation, "the query", query);
  checkNames(operation, "the query", query, DEAD_LETTERS);
  checkPage(operation, query);
}

function checkPage(
  operation: string,
  page: { readonly limit?: number; readonly continuation?: string },
): void {
  checkCount(operation, "limit", page.limit, 1, LARGEST_PAGE);
  checkContinuation(operation, page.continuation);
}

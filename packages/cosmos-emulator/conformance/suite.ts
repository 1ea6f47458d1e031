/** All checks, in the order in which the table shows their groups. */
import { type Check, needingThroughput } from "./check.ts";
import { ACCOUNT } from "./checks/account.ts";
import { ANSWERS } from "./checks/answers.ts";
import { AUTHORIZATION } from "./checks/authorization.ts";
import { BATCH } from "./checks/batch.ts";
import { BATCH_ATOMICITY } from "./checks/batch-atomicity.ts";
import { BATCH_REFUSALS } from "./checks/batch-refusals.ts";
import { BULK } from "./checks/bulk.ts";
import { CHANGE_FEED } from "./checks/change-feed.ts";
import { CHARGES } from "./checks/charges.ts";
import { CROSS_PARTITION } from "./checks/cross-partition.ts";
import { EXPIRY } from "./checks/expiry.ts";
import { INDEXING } from "./checks/indexing.ts";
import { ITEMS } from "./checks/items.ts";
import { KEYS_AND_IDS } from "./checks/keys-and-ids.ts";
import { LIMITS } from "./checks/limits.ts";
import { OFFERS } from "./checks/offers.ts";
import { PAGING } from "./checks/paging.ts";
import { PATCH } from "./checks/patch.ts";
import { PATCH_CONDITIONS } from "./checks/patch-conditions.ts";
import { PRECONDITIONS } from "./checks/preconditions.ts";
import { PROCEDURES } from "./checks/procedures.ts";
import { QUERY } from "./checks/query.ts";
import { QUERY_PARAMETERS } from "./checks/query-parameters.ts";
import { QUERY_PLANS } from "./checks/query-plans.ts";
import { QUERY_SYNTAX } from "./checks/query-syntax.ts";
import { QUERY_VALUES } from "./checks/query-values.ts";
import { RANGES } from "./checks/ranges.ts";
import { RESOURCE_IDS } from "./checks/resource-ids.ts";
import { RESOURCES } from "./checks/resources.ts";
import { SCRIPT_CALLS } from "./checks/script-calls.ts";
import { SDK_QUERIES } from "./checks/sdk-queries.ts";
import { SESSION } from "./checks/session.ts";
import { THROTTLING } from "./checks/throttling.ts";
import { UNIQUE_KEYS } from "./checks/unique-keys.ts";
import { VALUES } from "./checks/values.ts";

export const CHECKS: readonly Check[] = [
  ...ACCOUNT,
  ...AUTHORIZATION,
  ...RESOURCES,
  ...RESOURCE_IDS,
  ...needingThroughput(OFFERS),
  ...ITEMS,
  ...KEYS_AND_IDS,
  ...VALUES,
  ...ANSWERS,
  ...PRECONDITIONS,
  ...PATCH,
  ...PATCH_CONDITIONS,
  ...BATCH,
  ...BATCH_REFUSALS,
  ...BATCH_ATOMICITY,
  ...BULK,
  ...QUERY,
  ...QUERY_PARAMETERS,
  ...QUERY_VALUES,
  ...QUERY_SYNTAX,
  ...PAGING,
  ...CROSS_PARTITION,
  ...QUERY_PLANS,
  ...SDK_QUERIES,
  ...INDEXING,
  ...RANGES,
  ...CHANGE_FEED,
  ...SESSION,
  ...PROCEDURES,
  ...SCRIPT_CALLS,
  ...EXPIRY,
  ...UNIQUE_KEYS,
  ...LIMITS,
  ...CHARGES,
  ...needingThroughput(THROTTLING),
];

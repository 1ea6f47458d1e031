/** Every step of the check, in its order. docs/cosmos/azure-check.md has a row for each gate and each probe. */
import { CONTAINER } from "./container.ts";
import { PREFLIGHT } from "./preflight.ts";
import { BATCH_LIMITS } from "./probes/batch-limits.ts";
import { BATCH_SUCCESS } from "./probes/batch-success.ts";
import { CONFLICTS } from "./probes/conflicts.ts";
import { CREATION_ORDER } from "./probes/creation-order.ts";
import { NUMBERS_AND_NAMES } from "./probes/numbers-and-names.ts";
import { OWN_WRITES } from "./probes/own-writes.ts";
import { PAGES } from "./probes/pages.ts";
import { PATCH_LIMIT } from "./probes/patch-limit.ts";
import { PRECONDITIONS } from "./probes/preconditions.ts";
import { PROCEDURES } from "./probes/procedures.ts";
import { QUERY_COST } from "./probes/query-cost.ts";
import { QUERY_ROWS } from "./probes/query-rows.ts";
import { RANGES } from "./probes/ranges.ts";
import { REFUSED_OPERATIONS } from "./probes/refused-operations.ts";
import { THROTTLING } from "./probes/throttling.ts";
import { TIME_TO_LIVE } from "./probes/time-to-live.ts";
import { TIMESTAMP } from "./probes/timestamp.ts";
import { TOKEN_AHEAD } from "./probes/token-ahead.ts";
import type { Step } from "./step.ts";

/** The probe about costs is the last of its phase, because it leaves many documents in the container. */
export const STEPS: readonly Step[] = [
  PREFLIGHT,
  CONTAINER,
  BATCH_SUCCESS,
  PRECONDITIONS,
  CONFLICTS,
  REFUSED_OPERATIONS,
  BATCH_LIMITS,
  PATCH_LIMIT,
  CREATION_ORDER,
  OWN_WRITES,
  TOKEN_AHEAD,
  RANGES,
  QUERY_ROWS,
  PAGES,
  TIME_TO_LIVE,
  PROCEDURES,
  NUMBERS_AND_NAMES,
  TIMESTAMP,
  THROTTLING,
  QUERY_COST,
];

/** Every step of the check, in its order. docs/cosmos/azure-check.md has a row for each gate and each probe. */
import { CONTAINER } from "./container.ts";
import { PREFLIGHT } from "./preflight.ts";
import { BATCH_SUCCESS } from "./probes/batch-success.ts";
import { CONFLICTS } from "./probes/conflicts.ts";
import { PRECONDITIONS } from "./probes/preconditions.ts";
import type { Step } from "./step.ts";

export const STEPS: readonly Step[] = [PREFLIGHT, CONTAINER, BATCH_SUCCESS, PRECONDITIONS, CONFLICTS];

/** Every operation of the provider that makes more than one request. */
import type { Operation } from "../operation.ts";
import { activities } from "./activities.ts";
import { administration } from "./administration.ts";
import { cancellations } from "./cancellations.ts";
import { claims } from "./claims.ts";
import { deadLetters } from "./dead-letters.ts";
import { families } from "./families.ts";
import { opening } from "./opening.ts";
import { reconciling } from "./reconciling.ts";
import { sessions } from "./sessions.ts";
import { starts } from "./starts.ts";
import { turns } from "./turns.ts";
import { verbs } from "./verbs.ts";

export const OPERATIONS: readonly Operation[] = [
  ...turns,
  ...activities,
  ...claims,
  ...sessions,
  ...administration,
  ...reconciling,
  ...starts,
  ...verbs,
  ...families,
  ...deadLetters,
  ...cancellations,
  ...opening,
];

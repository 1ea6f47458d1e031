/** Everything that a process of the soak serves. */

import type { SideLog } from "../../storm/side-log.ts";
import type { Deployment } from "../settings.ts";
import { type Handlers, otherHandlers, rightHandlers } from "./deployment.ts";
import { hostileHandlers } from "./hostile.ts";
import { innocentOrchestrations } from "./innocent.ts";
import { stepOf } from "./step.ts";

export function allHandlers(log: SideLog, deployment: Deployment): Handlers {
  const step = stepOf(log, "step");
  const hostile = hostileHandlers(log);
  const deployed = deployment === "right" ? rightHandlers(step, stepOf(log, "rareStep")) : otherHandlers();
  return {
    orchestrations: [...innocentOrchestrations(step), ...deployed.orchestrations, ...hostile.orchestrations],
    activities: [step, ...deployed.activities, ...hostile.activities],
  };
}

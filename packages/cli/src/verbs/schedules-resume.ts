/** `duroxide schedules resume`: ends a pause. */
import type { Verb } from "../command/verb.ts";
import { scheduleSwitch } from "../schedules/schedule-switch.ts";

export const schedulesResume: Verb = scheduleSwitch({
  verb: "resume",
  question: "would run again",
  done: "is resumed",
  reason: "the disk has room again",
});

/** `duroxide schedules pause`: no due time runs until it is resumed. */
import type { Verb } from "../command/verb.ts";
import { scheduleSwitch } from "../schedules/schedule-switch.ts";

export const schedulesPause: Verb = scheduleSwitch({
  verb: "pause",
  question: "would not run until resumed",
  done: "is paused",
  reason: "the disk is full",
});

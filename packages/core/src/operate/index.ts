/**
 * The model of operators: states of instances, actions on them, and starts that wait. The command line, the dashboard
 * and the tools of agents print it, so that one thing has one name everywhere.
 *
 * @module @duroxide-ts/core/operate
 */
export { findInstance } from "../client/find-instance.ts";
export { durationMs } from "../define/duration.ts";
export {
  ENDED_STATES,
  INSTANCE_STATES,
  type InstanceState,
  inState,
  instanceState,
  OPEN_STATES,
  stateWords,
} from "./instance-state.ts";
export { limitText } from "./limit-text.ts";
export { type RunningState, runningState } from "./running-state.ts";
export { dueTimesBetween, type ScheduleState, scheduleRule, scheduleState } from "./schedules.ts";
export { shownTags, tagConditions, tagsToSet, tagTerms } from "./tag-text.ts";
export { OPERATOR_VERBS, type OperatorVerb, type OperatorVerbInfo } from "./verbs.ts";
export { readWaitingStart, type WaitingStart } from "./waiting-start.ts";

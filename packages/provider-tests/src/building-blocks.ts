/**
 * The parts of the kit's cases, for a provider's own tests: messages, events and the steps of a turn, with defaults for
 * all values that do not matter to a test. The caller that a step takes is `{ provider, lockMs }`.
 *
 * @module @duroxide-ts/provider-tests/building-blocks
 */

// The caller, and its lease
export type { Caller } from "./context.ts";
// Events, messages and commits
export {
  activity,
  completion,
  continueItem,
  eventOf,
  failed,
  queueMessage,
  raised,
  scheduled,
  semver,
  started,
  startItem,
  timer,
  turnOf,
  versions,
} from "./messages.ts";
// The steps
export {
  ack,
  complete,
  continueAsNew,
  createInstance,
  fetchOrchestration,
  fetchWork,
  given,
  mustFetch,
  mustFetchWork,
  type NewInstance,
  passLock,
  staggered,
  turn,
} from "./steps.ts";

/**
 * What the cases of the kit are made of, for a provider's own tests: messages, events and the steps of a turn, with
 * everything filled in that a test does not care about. The caller that a step takes is `{ provider, lockMs }`.
 *
 * @module @duroxide-ts/provider-tests/building-blocks
 */

// Who calls, and with which lease
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
// What is done with them
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

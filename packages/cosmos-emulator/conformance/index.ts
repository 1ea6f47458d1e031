/**
 * The kit of the suite for checks elsewhere in this repository: single requests, their answers, assertions and recordings.
 * It is not shipped; only the sources of the repository find it.
 */

export { ATOMIC_BATCH, type Headers, Items, keyHeader } from "./client/items.ts";
export { type Exchange, RawClient, type TokenSource } from "./client/raw-client.ts";
export { type Fields, fieldsOf, type Reply } from "./client/reply.ts";
export { expect, expectEqual, expectMatch, expectStatus } from "./expect.ts";
export { Recorder } from "./recordings/recorder.ts";
export type { RecordedExchange, Recording } from "./recordings/recording.ts";
export { type Difference, replay } from "./recordings/replay.ts";
export type { Outcome } from "./runner.ts";

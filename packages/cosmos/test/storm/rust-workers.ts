/** Rust's workers in a storm, and the programs that both sides have. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Program } from "../../../../test/storm/programs.ts";
import { RunningProcess } from "../../../../test/support/program-process.ts";
import type { Document } from "../invariants/documents.ts";
import { MIXED_PROGRAMS } from "../rust-peer/programs.ts";
import { spawnRustWorker } from "../rust-peer/rust-peer.ts";
import type { Place } from "./place.ts";

export function startRustWorker(
  { connectionString, database, container }: Place,
  leaseMs: number,
): RunningProcess {
  const [, endpoint = "", key = ""] =
    /AccountEndpoint=([^;]+);AccountKey=([^;]+)/.exec(connectionString) ?? [];
  const child: ChildProcessWithoutNullStreams = spawnRustWorker(
    { endpoint, key, database, container },
    { leaseMs },
  );
  return new RunningProcess(child);
}

/**
 * A request without success, in the words of Rust's client, as a client and a stored event have it. Rust ends an
 * orchestration with it (docs/cosmos/with-rust.md).
 */
const OF_RUST = /infrastructure\b.*(CosmosDB client error|error sending request)/i;

/** Divides what clients saw by whether Rust had failed the orchestration, or one of its children, by such a request. */
export function dividedByRust(violations: readonly string[]): {
  readonly own: readonly string[];
  readonly ofRust: readonly string[];
} {
  const { own = [], ofRust = [] } = Object.groupBy(violations, (each) =>
    OF_RUST.test(each) ? "ofRust" : "own",
  );
  return { own, ofRust };
}

/** Leaves out the instances that Rust has failed so: what they had begun is not answered any more. */
export function withoutFailedByRust(documents: readonly Document[]): readonly Document[] {
  const failed = new Set(
    documents.filter(({ eventData }) => isFailedByRust(eventData)).map(({ instanceId }) => instanceId),
  );
  return documents.filter(({ instanceId }) => !failed.has(instanceId));
}

function isFailedByRust(eventData: unknown): boolean {
  return (
    typeof eventData === "string" &&
    eventData.includes('"type":"OrchestrationFailed"') &&
    OF_RUST.test(eventData)
  );
}

/** Programs whose result does not say which side has done the work. */
export const PROGRAMS_OF_BOTH: readonly Program[] = MIXED_PROGRAMS.filter(({ name }) => name !== "hello").map(
  ({ name, input, results }) => ({
    name,
    input: (number) => Number(input(number)),
    result: (number) => results(number)[0],
  }),
);

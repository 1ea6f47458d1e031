/** Rust's workers in a storm, and the programs that both sides have. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { Program } from "../../../../test/storm/programs.ts";
import { RunningProcess } from "../../../../test/support/program-process.ts";
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

/** Those whose result does not say which side has done the work. */
export const PROGRAMS_OF_BOTH: readonly Program[] = MIXED_PROGRAMS.filter(({ name }) => name !== "hello").map(
  ({ name, input, results }) => ({
    name,
    input: (number) => Number(input(number)),
    result: (number) => results(number)[0],
  }),
);

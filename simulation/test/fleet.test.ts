/** A fleet goes on when one of its processes is ended from outside. */
import { expect, it } from "vitest";
import { Fleet } from "../run/fleet.ts";
import type { Job, JobResult } from "../run/job.ts";

const JOBS: readonly Job[] = [1, 2, 3].map((seed) => ({
  seed,
  store: "sqlite",
  limits: { servers: 1, programs: 1, faults: [] },
}));

/** `end` is called with each process, and how many were forked before it. */
async function resultsOf(
  end: (pid: number, before: number) => void,
  onResult: (pid: number, results: number) => void = () => {},
): Promise<readonly JobResult[]> {
  let forked = 0;
  let last = 0;
  const results: JobResult[] = [];
  using fleet = new Fleet({
    processes: 1,
    onProcess: (pid) => {
      last = pid;
      end(pid, forked++);
    },
  });
  await fleet.run(JOBS, (result) => {
    results.push(result);
    onResult(last, results.length);
    return "go on";
  });
  return results;
}

function kill(pid: number): void {
  process.kill(pid, "SIGKILL");
}

it("replaces a process that ends before it is ready", async () => {
  const results = await resultsOf((pid, before) => {
    if (before === 0) kill(pid);
  });
  expect(results.map(({ seed, violations }) => [seed, violations])).toEqual(
    JOBS.map(({ seed }) => [seed, []]),
  );
});

it("reports the seed of a process that ends, and runs the next one in another process", async () => {
  const results = await resultsOf(
    () => {},
    // The next seed is sent to the process before its end is noticed.
    (pid, count) => {
      if (count === 1) kill(pid);
    },
  );
  expect(results.map(({ seed, violations }) => [seed, violations])).toEqual([
    [1, []],
    [2, ["ended its process: SIGKILL"]],
    [3, []],
  ]);
});

it("rejects, and begins no further seed, where no process gets ready", async () => {
  let forked = 0;
  const running = resultsOf((pid) => {
    forked++;
    kill(pid);
  });
  await expect(running).rejects.toThrow("ended with SIGKILL before it was ready");
  expect(forked).toBe(3);
});

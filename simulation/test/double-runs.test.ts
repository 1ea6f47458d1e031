/** An activity that runs twice is seen, where no fault explains it. */
import { expect, it } from "vitest";
import { DoubleRuns } from "../checks/double-runs.ts";
import type { Run } from "../programs/ledger.ts";
import type { Machine } from "../world/machine.ts";
import { newWorld } from "./new-world.ts";

const CALM_MS = 100_000;

const world = newWorld();

function given(mayBeAnew = false): { readonly checks: DoubleRuns; readonly seen: readonly string[] } {
  const seen: string[] = [];
  const checks = new DoubleRuns(
    (violation) => seen.push(violation),
    () => mayBeAnew,
  );
  checks.faultsEnded(0);
  return { checks, seen };
}

function run(machine: Machine, atMs = CALM_MS): Run {
  return { key: "i:1:2", session: undefined, limit: undefined, attempt: 1, machine, atMs };
}

it("sees a run that begins while another process runs the same attempt", () => {
  const { checks, seen } = given();
  checks.began(run(world.machine("a")));
  checks.began(run(world.machine("b"), CALM_MS + 2_000));
  expect(seen).toEqual(["i:1:2: begun in b while a has run it for 2000 ms"]);
});

it("double-runs.R3: allows it where the instance may have been deleted and started again", () => {
  const { checks, seen } = given(true);
  checks.began(run(world.machine("a")));
  checks.began(run(world.machine("b"), CALM_MS + 2_000));
  expect(seen).toEqual([]);
});

it("allows a run after the other one has ended, or has died with its process", () => {
  const { checks, seen } = given();
  const first = run(world.machine("a"));
  checks.began(first);
  checks.ended(first);
  const dead = world.machine("b");
  checks.began(run(dead));
  dead.kill();
  checks.began(run(world.machine("c")));
  expect(seen).toEqual([]);
});

it("allows two runs of which the first began soon after a fault", () => {
  const { checks, seen } = given();
  checks.began(run(world.machine("a"), 1_000));
  checks.began(run(world.machine("b")));
  expect(seen).toEqual([]);
});

it("double-runs.R2: sees activities of one session in two processes", () => {
  const { checks, seen } = given();
  const [a, b] = [world.machine("a"), world.machine("b")];
  const inSession = (key: string, machine: Machine): Run => ({ ...run(machine), key, session: "s" });
  checks.began(inSession("i:1:2", a));
  checks.began(inSession("i:1:3", a));
  expect(seen).toEqual([]);
  checks.began(inSession("j:1:2", b));
  expect(seen).toEqual(Array(2).fill("session s: begun in b while a has run it for 0 ms"));
});

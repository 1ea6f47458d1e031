/** A proof that cannot fail proves nothing: each of the demo's checks, against evidence that it must refuse. */
import type { EventOf, HistoryEvent } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import type { LedgerLine } from "../../examples/order-fulfilment/ledger.ts";
import type { OrderProgress } from "../../examples/order-fulfilment/progress.ts";
import { check, type Evidence, interrupted, repetitions } from "../../examples/order-fulfilment/proof.ts";

const FIRST_PID = 1;
const SECOND_PID = 2;
const KEY = "order-1:1:2";

const result: EventOf<"ActivityCompleted"> = {
  type: "ActivityCompleted",
  event_id: 3,
  source_event_id: 2,
  instance_id: "order-1",
  execution_id: 1,
  timestamp_ms: 200,
  duroxide_version: "0.1.32",
  result: "null",
};

const line = (pid: number, atMs: number, what: LedgerLine["what"]): LedgerLine => {
  return { pid, atMs, what, key: KEY, name: "chargeCard" };
};

const finished: OrderProgress = {
  order: { id: "order-1", customer: "Ada", city: "London", card: "4242", lines: [] },
  state: "finished",
  step: "delivered",
  outcome: { status: "delivered", trackingNumbers: ["t"] },
  activities: [{ key: KEY, name: "chargeCard", results: [result] }],
  histories: new Map<string, readonly HistoryEvent[]>([["order-1", [result]]]),
};

const good: Evidence = {
  ledger: [line(FIRST_PID, 100, "begin"), line(FIRST_PID, 150, "done")],
  atKill: [finished],
  atEnd: [finished],
  secondPid: SECOND_PID,
};

/** Returns the indexes of the failing checks. */
const failing = (evidence: Evidence): number[] =>
  check(evidence).flatMap(({ ok }, index) => (ok ? [] : [index]));

it("good evidence passes", () => {
  expect(failing(good)).toEqual([]);
});

it("an order that did not finish is seen", () => {
  expect(failing({ ...good, atEnd: [{ ...finished, state: "running" }] })).toEqual([0]);
});

it("a history that changed is seen", () => {
  const changed = new Map([["order-1", [{ ...result, result: "1" }]]]);
  expect(failing({ ...good, atEnd: [{ ...finished, histories: changed }] })).toEqual([1]);
});

it.each([
  ["no result", []],
  ["two results", [result, result]],
])("an activity with %s is seen", (_, results) => {
  const activities = [{ key: KEY, name: "chargeCard", results }];
  expect(failing({ ...good, atEnd: [{ ...finished, activities }] })).toEqual([2]);
});

it("a result of an activity that never ran is seen", () => {
  expect(failing({ ...good, ledger: [] })).toEqual([2]);
});

it("an activity that the second worker begins again is seen, whatever the clock says", () => {
  expect(failing({ ...good, ledger: [...good.ledger, line(SECOND_PID, 50, "begin")] })).toEqual([3]);
});

it("an activity that begins again after its result is seen, whichever process begins it", () => {
  expect(failing({ ...good, ledger: [...good.ledger, line(FIRST_PID, 201, "begin")] })).toEqual([3]);
});

it("an interrupted activity may begin again: it had no result", () => {
  const atKill = [{ ...finished, activities: [], histories: new Map() }];
  const ledger = [
    line(FIRST_PID, 100, "begin"),
    line(SECOND_PID, 150, "begin"),
    line(SECOND_PID, 190, "done"),
  ];
  expect(failing({ ...good, atKill, ledger })).toEqual([]);
  expect(interrupted(ledger.slice(0, 1))).toHaveLength(1);
  expect(interrupted(ledger)).toEqual([]);
  expect(repetitions({ ledger, secondPid: SECOND_PID })).toEqual({ interrupted: [KEY], unrecorded: [] });
});

it("an activity that ended without a recorded result may begin again, and is not called interrupted", () => {
  const ledger = [
    line(FIRST_PID, 100, "begin"),
    line(FIRST_PID, 120, "done"),
    line(SECOND_PID, 150, "begin"),
    line(SECOND_PID, 190, "done"),
  ];
  const atKill = [{ ...finished, activities: [], histories: new Map() }];
  expect(failing({ ...good, atKill, ledger })).toEqual([]);
  expect(interrupted(ledger.slice(0, 2))).toEqual([]);
  expect(repetitions({ ledger, secondPid: SECOND_PID })).toEqual({ interrupted: [], unrecorded: [KEY] });
});

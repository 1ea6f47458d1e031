/** One word for the state of an instance, whatever it still carries of earlier states. */
import { expect, it } from "vitest";
import { instanceState } from "../../src/operate/index.ts";
import type { InstanceSummary } from "../../src/stores/index.ts";

const SUMMARY: InstanceSummary = {
  instanceId: "i",
  orchestrationName: "o",
  orchestrationVersion: "1.0.0",
  currentExecutionId: 1,
  status: "Running",
  output: null,
  createdAtMs: 0,
  updatedAtMs: 0,
};

const suspended = { sinceMs: 1, reason: "look" };
const blocked = { reason: "no-handler", detail: "no handler", sinceMs: 1 } as const;
const failure = { category: "cancelled", message: "canceled: enough" } as const;

it.each([
  ["running", {}],
  ["running", { status: "ContinuedAsNew" }],
  ["blocked", { blocked }],
  ["suspended", { suspended, blocked }],
  ["completed", { status: "Completed", suspended, blocked }],
  ["failed", { status: "Failed", output: "broken", suspended }],
  ["cancelled", { status: "Cancelled", failure, suspended }],
  ["cancelled", { status: "Cancelled", output: "canceled: enough" }],
  ["clean-up-failed", { status: "Cancelled", failure: { ...failure, category: "clean-up-failed" } }],
  ["scheduled", { status: "Scheduled", startsAtMs: 1 }],
  ["suspended", { status: "Scheduled", suspended, startsAtMs: 1 }],
  ["blocked", { status: "Scheduled", blocked, startsAtMs: 1 }],
] as const)("%s: %j", (state, more) => {
  expect(instanceState({ ...SUMMARY, ...more } as InstanceSummary)).toBe(state);
});

/** Each gate notices an endpoint that answers wrongly: a proxy in front of ours changes one kind of answer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FaultProxy } from "../../../../test/support/fault-proxy/fault-proxy.ts";
import { openPlace, type Place } from "../../azure-check/place.ts";
import type { CollectedQueries } from "../../azure-check/queries/collect.ts";
import { runCheck } from "../../azure-check/run.ts";
import { QUICK } from "../../azure-check/scale.ts";
import type { Step } from "../../azure-check/step.ts";
import { STEPS } from "../../azure-check/steps.ts";
import { WRONG_ANSWERS, type WrongAnswer } from "./wrong-answers.ts";

/** Steps of the phases that send requests of their own; the others run whole suites. */
const STEPS_OF_GATES = STEPS.filter(({ phase }) => phase === 0 || phase === 1 || phase === 2);

let place: Place;
let proxy: FaultProxy;

/** Two queries instead of all that the provider has. */
const QUERIES: CollectedQueries = {
  queries: [
    {
      text: "SELECT * FROM c WHERE c.type = 'history' AND c.executionId = @execution",
      parameters: [{ name: "@execution", value: 1 }],
      partitionKey: "a",
    },
    {
      text: "SELECT * FROM c WHERE c.type = 'instance' AND ARRAY_CONTAINS(@ids, c.instanceId)",
      parameters: [{ name: "@ids", value: ["a"] }],
      partitionKey: undefined,
    },
  ],
  documents: [
    { id: "1", instanceId: "a", type: "history", executionId: 1, eventId: 1 },
    { id: "instance", instanceId: "a", type: "instance" },
  ],
};
const made = new Map<string, Promise<unknown>>([["queries", Promise.resolve(QUERIES)]]);

beforeAll(async () => {
  place = await openPlace({ kind: "rehearsal", withIdentity: false, physicalPartitions: 2 });
  proxy = await FaultProxy.start(place.endpoint);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

function stepOf(gate: string): Step {
  const step = STEPS_OF_GATES.find(({ gates }) => gate in gates);
  if (step === undefined) throw new Error(`no step has the gate ${gate}`);
  return step;
}

/** The provider opens its container as always, and may refuse an endpoint by itself: its requests have this header. */
function asked({ match, asker = "check" }: WrongAnswer): WrongAnswer["match"] {
  return (request) => {
    const isOfProvider = request.headers["x-ms-useragent"] !== undefined;
    return isOfProvider === (asker === "provider") && match(request);
  };
}

describe("an endpoint that", () => {
  it.each(WRONG_ANSWERS)("$name is stopped by the gate $gate", async (wrong) => {
    const { gate, change } = wrong;
    using _rule = proxy.add({ match: asked(wrong), effect: { kind: "rewrite", change } });
    const through = new URL(proxy.endpoint);
    const report = await runCheck({
      place,
      steps: [stepOf(gate)],
      scale: { ...QUICK, ...wrong.scale },
      through,
      made,
    });
    const red = report.steps.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict === "red"));
    expect(red.map(({ what }) => what)).toEqual([gate]);
    expect(report.outcome).toBe("red");
  });
});

it("every gate of phases 0 to 2 has a wrong answer that it notices", () => {
  const gates = STEPS_OF_GATES.flatMap((step) => Object.keys(step.gates));
  expect(new Set(WRONG_ANSWERS.map(({ gate }) => gate))).toEqual(new Set(gates));
});

describe("a red gate", () => {
  it("ends the check before the next step", async () => {
    const wrong = WRONG_ANSWERS.find(({ gate }) => gate === "batch-statuses") as (typeof WRONG_ANSWERS)[0];
    using _rule = proxy.add({ match: asked(wrong), effect: { kind: "rewrite", change: wrong.change } });
    const through = new URL(proxy.endpoint);
    const steps = ["batch-statuses", "conflict"].map(stepOf);
    const report = await runCheck({ place, steps, scale: QUICK, through });
    expect(report.steps.map(({ id }) => id)).toEqual(["2.1"]);
    expect([report.stoppedAt, report.databaseRemoved]).toEqual(["2.1", true]);
  });
});

it("a query that costs more than its bound is reported by its text, and ends nothing", async () => {
  const due =
    "SELECT * FROM c WHERE c.type = 'worker_queue' AND c.visibleAt <= @now ORDER BY c.type, c.visibleAt, c.enqueuedAt";
  const parameters = [{ name: "@now", value: 0 }];
  const query = { text: due, parameters, partitionKey: undefined };
  using _rule = proxy.add({
    match: ({ body }) => body.includes("worker_queue"),
    effect: {
      kind: "rewrite",
      change: (answer) => ({ ...answer, headers: { ...answer.headers, "x-ms-request-charge": "31" } }),
    },
  });
  const report = await runCheck({
    place,
    steps: STEPS_OF_GATES.filter(({ id }) => id === "2.12"),
    scale: { ...QUICK, queueRows: 20, instances: 10 },
    through: new URL(proxy.endpoint),
    made: new Map([["queries", Promise.resolve({ queries: [query], documents: [] })]]),
  });
  const [step] = report.steps;
  expect(step?.findings).toMatchObject([
    { what: `within its bound: ${due}`, verdict: "differs", seen: expect.stringContaining("31 RU; 30 RU") },
  ]);
  expect(report.outcome).toBe("green");
});

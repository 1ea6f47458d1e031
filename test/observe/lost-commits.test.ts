/** Checks that what the store did not take counts as not done: it is run again, and then counted and reported once. */

import { activity, Client, orchestration, type Provider, type ProviderErrorCode } from "@duroxide-ts/core";
import { expect, test } from "vitest";
import { withoutFusedTurns } from "../support/changed-provider.ts";
import { type Environment, startEnvironment } from "../support/environment.ts";
import { Faults, type FaultyMethod, fault } from "../support/faulty-provider.ts";
import { Telemetry } from "./telemetry.ts";

const pack = activity("pack", async () => "packed");
const shipping = orchestration("shipping", (ctx) => ctx.scheduleActivity(pack));
const checkout = orchestration("checkout", (ctx) => ctx.scheduleSubOrchestration(shipping));

/** The first call of the method fails, and reaches no store. */
function refusing(method: FaultyMethod, code: ProviderErrorCode): (it: Provider) => Provider {
  const faults = new Faults();
  faults.on(method, (call) => {
    if (call === 1) throw fault(method, code);
  });
  return faults.wrap;
}

async function run(telemetry: Telemetry, wrap: (it: Provider) => Provider): Promise<Environment> {
  const { meter, tracer } = telemetry;
  const env = await startEnvironment({
    activities: [pack],
    orchestrations: [checkout, shipping],
    options: { meter, tracer },
    // Outcomes and turns are two commits, so that each can be lost by itself.
    wrap: (provider) => withoutFusedTurns(wrap(provider)),
  });
  const client = new Client(env.provider, { clock: env.clock, tracer });
  await env.finish(await client.start(checkout, { instanceId: "i" }));
  return env;
}

const TREE = [
  "start checkout",
  "start checkout > orchestration checkout",
  "start checkout > start shipping",
  "start checkout > start shipping > activity pack",
  "start checkout > start shipping > orchestration shipping",
];

// stamp-trace.T2
test("a turn whose commit is lost counts as an error, and as a start only when it is committed", async () => {
  const telemetry = new Telemetry();
  await using _env = await run(telemetry, refusing("ackOrchestrationItem", "lock-lost"));

  expect(telemetry.tree()).toEqual(TREE);
  expect(await telemetry.series("orchestration_starts_total")).toEqual([
    "initiated_by=client orchestration_name=checkout version=1.0.0 1",
    "initiated_by=suborchestration orchestration_name=shipping version=1.0.0 1",
  ]);
  expect(await telemetry.series("orchestration_infrastructure_errors_total")).toEqual([
    "error_category=infrastructure orchestration_name=checkout 1",
  ]);
  expect(await telemetry.series("orchestration_turns")).toEqual([
    "orchestration_name=checkout 1x 2",
    "orchestration_name=shipping 1x 2",
  ]);
});

// stamp-trace.T3
test("a turn that the store refuses for good ends its execution, without the children that it asked for", async () => {
  const telemetry = new Telemetry();
  const refused = run(telemetry, refusing("ackOrchestrationItem", "invalid-input"));
  await expect(refused).rejects.toThrow("as the test wants it");

  expect(telemetry.tree()).toEqual(["start checkout", "start checkout > orchestration checkout"]);
  const labels = "error_category=infrastructure error_type=infrastructure_error";
  expect(await telemetry.series("orchestration_failures_total")).toEqual([
    `${labels} orchestration_name=checkout version=1.0.0 1`,
  ]);
  expect(await telemetry.series("orchestration_infrastructure_errors_total")).toEqual([
    "error_category=infrastructure orchestration_name=checkout 1",
  ]);
});

test("an outcome whose lock is lost is no execution; the next delivery is one", async () => {
  const telemetry = new Telemetry();
  await using _env = await run(telemetry, refusing("ackWorkItem", "lock-lost"));

  const packed = "start checkout > start shipping > activity pack";
  expect(telemetry.tree()).toEqual([...TREE, packed].sort());
  const outcomes = telemetry.spans.filter(({ name }) => name === "activity pack");
  expect(outcomes.map(({ attributes }) => attributes["duroxide.outcome"])).toEqual(["not_stored", "success"]);
  expect(await telemetry.series("activity_infrastructure_errors_total")).toEqual(["activity_name=pack 1"]);
  expect(await telemetry.series("activity_executions_total")).toEqual([
    "activity_name=pack outcome=success retry_attempt=1 tag=default 1",
  ]);
});

test("an outcome that the store takes later is one execution", async () => {
  const telemetry = new Telemetry();
  await using _env = await run(telemetry, refusing("ackWorkItem", "internal"));

  expect(telemetry.tree()).toEqual(TREE);
  expect(await telemetry.series("activity_executions_total")).toEqual([
    "activity_name=pack outcome=success retry_attempt=0 tag=default 1",
  ]);
});

/** The pace of requests while the service does not answer; outage.OU1 to outage.OU3. */
import { VirtualClock } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { type Failure, failureOf } from "../src/service/failure.ts";
import { Outage } from "../src/service/outage.ts";

const CUT: Failure = failureOf(new Error("the connection was cut"));
const REFUSED: Failure = { ...CUT, status: 409 };
const PATIENCE = { operation: "read", untilMs: Number.POSITIVE_INFINITY };

/** An outage, and how many of three requests were let through since it began. */
function begun() {
  const clock = new VirtualClock(0);
  const outage = new Outage(clock);
  while (!outage.isOn) outage.failed(CUT);
  let sent = 0;
  for (let n = 0; n < 3; n++) {
    void outage.enter(PATIENCE).then(() => {
      sent++;
    });
  }
  return { clock, outage, sent: () => sent };
}

it("requests are sent one by one while the service does not answer (outage.OU1)", async () => {
  const { clock, sent } = begun();
  await clock.settle();
  expect(sent()).toBe(1);
  await clock.advance(200);
  expect(sent()).toBe(2);
});

it.each([
  ["an answer", (outage: Outage) => outage.answered()],
  ["a refusal, which is an answer (outage.OU3)", (outage: Outage) => outage.failed(REFUSED)],
])("all requests that wait are sent at once after %s (outage.OU2)", async (_, end) => {
  const { clock, outage, sent } = begun();
  await clock.settle();
  end(outage);
  await clock.settle();
  expect(sent()).toBe(3);
});

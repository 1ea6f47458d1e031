/** Few orchestrations with long histories of large texts: what a store's limits and its speed with bytes show at. */
import { activity, type OrchestrationContext, orchestration, sleep } from "@duroxide-ts/core";
import type { Provider } from "@duroxide-ts/core/stores";
import { largePayloadSettings, type StressOptions } from "./options.ts";
import type { StressResult } from "./report.ts";
import { runStress } from "./run-stress.ts";

const KILOBYTE = 1_024;
const SIZES: readonly number[] = [10 * KILOBYTE, 50 * KILOBYTE, 100 * KILOBYTE];
const ACTIVITIES = 20;
const CHILDREN = 5;
const CHILD_ACTIVITIES = 2;
const CLOSING_ACTIVITIES = 10;
const CHILD_BYTES = 50 * KILOBYTE;
const RESULT_BYTES = 100 * KILOBYTE;

interface Work {
  readonly label: string;
  readonly resultBytes: number;
  readonly payload: string;
}

/**
 * Runs a load with large payloads on a store and reports the results. The store should be empty, and no other process
 * may use it meanwhile.
 */
export function stressLargePayload(provider: Provider, options: StressOptions = {}): Promise<StressResult> {
  const settings = largePayloadSettings(options);
  const { activityDelayMs, clock } = settings;
  const processPayload = activity("ProcessPayload", async (_ctx, { label, resultBytes }: Work) => {
    await sleep(clock, activityDelayMs);
    return text(label, resultBytes);
  });
  const work = (ctx: OrchestrationContext, label: string, bytes: number): PromiseLike<string> =>
    ctx.scheduleActivity(processPayload, { label, resultBytes: bytes, payload: text(`to ${label}`, bytes) });
  const child = orchestration("LargePayloadChild", async (ctx, { label }: Work) => {
    for (let n = 0; n < CHILD_ACTIVITIES; n++) await work(ctx, `${label} activity ${n}`, SIZES[0] ?? 0);
    return text(label, CHILD_BYTES);
  });
  const root = orchestration("LargePayloadOrchestration", async (ctx, number: number) => {
    const sizes = Array.from({ length: ACTIVITIES }, (_, n) => SIZES[n % SIZES.length] ?? 0);
    const results = await ctx.all(sizes.map((bytes, n) => work(ctx, `activity ${n}`, bytes)));
    const children = Array.from({ length: CHILDREN }, (_, n) => {
      const label = `child ${n}`;
      const input = { label, resultBytes: CHILD_BYTES, payload: text(`to ${label}`, CHILD_BYTES) };
      return ctx.scheduleSubOrchestration(child, input);
    });
    results.push(...(await ctx.all(children)));
    for (let n = 0; n < CLOSING_ACTIVITIES; n++) results.push(await work(ctx, `closing ${n}`, 100));
    return { number, lengths: results.map(({ length }) => length), result: text(`${number}`, RESULT_BYTES) };
  });
  return runStress(provider, {
    name: "large payload",
    configuration: `${ACTIVITIES} activities of 10 to 100 KB, ${CHILDREN} children`,
    settings,
    root,
    orchestrations: [root, child],
    activities: [processPayload],
    expected,
  });
}

function expected(number: number): unknown {
  const activities = Array.from({ length: ACTIVITIES }, (_, n) => SIZES[n % SIZES.length] ?? 0);
  const children = Array.from({ length: CHILDREN }, () => CHILD_BYTES);
  const closing = Array.from({ length: CLOSING_ACTIVITIES }, () => 100);
  return {
    number,
    lengths: [...activities, ...children, ...closing],
    result: text(`${number}`, RESULT_BYTES),
  };
}

/** Returns a text of this size in bytes, different for each label. */
function text(label: string, bytes: number): string {
  const line = `${label}; `;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

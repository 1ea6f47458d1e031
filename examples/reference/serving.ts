/** A dashboard that only reads, beside what a load balancer asks. */
import type { DuroxideConfig } from "@duroxide-ts/cli";
import { jsonCodec, type Provider } from "@duroxide-ts/core";
import { SeededRandom } from "@duroxide-ts/core/testing";
import { dashboard, type Health, PrometheusMeter, startDashboard } from "@duroxide-ts/dashboard";

export function readers(provider: Provider) {
  const meter = new PrometheusMeter(); // give it to the runtime too, and /metrics has its figures
  const authorize = () => ({ user: "support", role: "viewer" }) as const;
  return dashboard({ provider, authorize, readOnly: true, meter });
}

export async function openForAnHour(provider: Provider, done: Promise<void>): Promise<void> {
  const running = await startDashboard({ provider, port: 0, readOnly: true, meter: new PrometheusMeter() });
  console.log(running.signInUrl());
  await done;
  await running.close();
}

/** Starts the page for a test: the token of the sign-in is the same each time. */
export function withKnownToken(provider: Provider) {
  return startDashboard({ provider, port: 0, random: new SeededRandom("1") });
}

/** Export of duroxide.config.ts: the codec of the runtimes, and what nobody sees. */
export const config: DuroxideConfig = {
  codec: jsonCodec,
  redact: (path, value) => (path.at(-1) === "card" ? "…" : value),
  dashboard: { title: "shop" },
};

export function describeHealth({ store, workers = 0, blocked = 0, oldestDueMs }: Health): string {
  const answer = store.ok ? `answers in ${store.ms} ms` : `gives no answer: ${store.problem}`;
  const oldest = oldestDueMs === undefined ? "no work waits" : `work waits since ${new Date(oldestDueMs)}`;
  return `the store ${answer}; ${workers} processes, ${blocked} instances blocked, ${oldest}`;
}

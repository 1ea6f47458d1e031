/** Metrics and health without the dashboard, for servers with authorization of their own. */
import { type StoreOptions, sourceOf } from "./dashboard-options.ts";
import { health } from "./monitoring/health.ts";
import { metrics } from "./monitoring/metrics.ts";
import type { PrometheusMeter } from "./monitoring/prometheus-meter.ts";

/** The options of `healthHandler`. */
export type HealthOptions = Pick<StoreOptions, "provider" | "client" | "clock">;

/** The options of `metricsHandler`. */
export interface MetricsOptions extends HealthOptions {
  /** The meter of the runtime of this process, for its counters and histograms. */
  readonly meter?: PrometheusMeter;
}

/** Answers every request with the metrics, in the text format of Prometheus. It has no authorization. */
export function metricsHandler({
  meter,
  ...options
}: MetricsOptions): (request: Request) => Promise<Response> {
  const source = sourceOf(options);
  return () => metrics(source, meter);
}

/** Answers every request with 200 or 503 and a `Health`. It has no authorization. */
export function healthHandler(options: HealthOptions): (request: Request) => Promise<Response> {
  const source = sourceOf(options);
  return () => health(source);
}

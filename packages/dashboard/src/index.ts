/**
 * The dashboard of duroxide-ts. This file is the table of contents of the package.
 *
 * @module @duroxide-ts/dashboard
 */

// What is shown
export type { RedactPayload } from "@duroxide-ts/core/stores";
// Who may do what
export {
  type Authorize,
  type NodeHandler,
  type Role as DashboardRole,
  toNodeHandler,
  type User as DashboardUser,
} from "@duroxide-ts/core/web";
// In a server of yours
export { type DashboardHandler, dashboard } from "./dashboard.ts";
export type { DashboardOptions, StoreOptions } from "./dashboard-options.ts";
export type { Health } from "./monitoring/health.ts";
export { PrometheusMeter } from "./monitoring/prometheus-meter.ts";
// Metrics and health
export {
  type HealthOptions,
  healthHandler,
  type MetricsOptions,
  metricsHandler,
} from "./monitoring-handlers.ts";
// As a server of its own
export { type RunningDashboard, type StartDashboardOptions, startDashboard } from "./standalone.ts";

/** The numbers that gauges and probes ask a store for, whether it counts them by itself or not. */
import type { ProviderAdmin, RunningMetrics } from "./admin.ts";

export async function runningMetricsOf(admin: ProviderAdmin): Promise<RunningMetrics> {
  if (admin.getRunningMetrics !== undefined) return admin.getRunningMetrics();
  const { runningInstances, blockedWork } = await admin.getSystemMetrics();
  return { runningInstances, ...(blockedWork !== undefined && { blockedWork }) };
}

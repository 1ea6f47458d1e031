/**
 * Reports the process to the store, for lists of workers (docs/reference/provider-contract.md §15.1).
 *
 * - worker-report.WR1: At most one report every 30 s, each after the end of the one before: a store that charges by
 *   request has few of them, and a slow one has at most one in flight.
 * - worker-report.WR2: A report that fails only adds a line to the log. It is no sign of a failing store, because the
 *   fetches show that themselves.
 * - worker-report.WR3: The report is removed after the last work has ended. If the process dies, the report expires in
 *   the store.
 */
import { hostname } from "node:os";
import { sleep } from "../contract/clock.ts";
import type { TagFilter } from "../contract/provider.ts";
import type { WorkerReport } from "../contract/queries.ts";
import type { RuntimeSettings } from "./options/options.ts";
import { PACKAGE_VERSION } from "./package-version.ts";
import type { ActivityRegistry, OrchestrationRegistry } from "./registry.ts";
import type { RunningActivities } from "./running/running-activities.ts";
import type { TurnSlots } from "./turns/turn-slots.ts";

const INTERVAL_MS = 30_000;

export interface ReportedParts {
  readonly settings: RuntimeSettings;
  readonly runtimeId: string;
  readonly orchestrations: OrchestrationRegistry;
  readonly activities: ActivityRegistry;
  readonly running: RunningActivities;
  readonly turnSlots: TurnSlots;
}

export class WorkerReports {
  readonly #parts: ReportedParts;
  readonly #startedAtMs: number;

  constructor(parts: ReportedParts) {
    this.#parts = parts;
    this.#startedAtMs = parts.settings.clock.now();
  }

  /** Sends reports until `stopping` aborts (worker-report.WR1). */
  async send(stopping: AbortSignal): Promise<void> {
    const { provider, reportWorker, clock } = this.#parts.settings;
    if (!reportWorker) return;
    while (!stopping.aborted) {
      await this.#attempt("worker_not_reported", () =>
        provider.admin.reportWorker(this.#parts.runtimeId, this.#report()),
      );
      await sleep(clock, INTERVAL_MS, stopping);
    }
  }

  /** Removes the report after the last work (worker-report.WR3). */
  async remove(): Promise<void> {
    const { provider, reportWorker } = this.#parts.settings;
    if (!reportWorker) return;
    await this.#attempt("worker_not_removed", () =>
      provider.admin.reportWorker(this.#parts.runtimeId, undefined),
    );
  }

  async #attempt(event: string, call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.#parts.settings.logger.debug({ event, error }, "the list of workers could not be updated");
    }
  }

  #report(): WorkerReport {
    const { settings, orchestrations, activities, running, turnSlots } = this.#parts;
    const tags = tagsOf(settings.workerTagFilter);
    return {
      host: hostname(),
      pid: process.pid,
      startedAtMs: this.#startedAtMs,
      packageVersion: PACKAGE_VERSION,
      orchestrations: orchestrations.all,
      activities: activities.names,
      ...(tags !== undefined && { tags }),
      turns: { busy: turnSlots.busy, all: orchestrations.isEmpty ? 0 : settings.orchestrationConcurrency },
      activitySlots: {
        busy: running.count,
        all: settings.workerTagFilter.kind === "none" ? 0 : settings.workerConcurrency,
      },
    };
  }
}

function tagsOf(filter: TagFilter): readonly string[] | undefined {
  switch (filter.kind) {
    case "default-only":
      return undefined;
    case "tags":
    case "default-and":
      return filter.tags;
    case "any":
      return ["*"];
    case "none":
      return [];
  }
}

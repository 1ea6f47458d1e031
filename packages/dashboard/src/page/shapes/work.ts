/** Queue rows, dead letters and worker processes. */
import type { DeadLetter, QueuedWork, Worker } from "@duroxide-ts/core";

/** Rows that are visible and not locked, and those that become visible later. */
export interface QueueFigures {
  readonly orchestrator: number;
  readonly worker: number;
  readonly later: number;
}

/** `GET /api/queues`. */
export interface CountedQueues extends QueueFigures {
  readonly asOfMs: number;
}

export interface WorkPageView {
  readonly rows: readonly QueuedWork[];
  readonly continuation?: string;
  /** Absent where the store charges for a count. */
  readonly queues?: QueueFigures;
  readonly requestUnits?: number;
  readonly nowMs: number;
}

export interface DeadLettersView {
  readonly rows: readonly DeadLetter[];
  readonly continuation?: string;
  readonly nowMs: number;
}

/** An orchestration of which processes have several versions; the newest first. */
export interface OldVersions {
  readonly name: string;
  readonly newest: string;
  readonly older: readonly string[];
}

export interface WorkersView {
  readonly rows: readonly Worker[];
  /** Old versions of all processes. */
  readonly oldVersions: readonly OldVersions[];
  readonly nowMs: number;
}

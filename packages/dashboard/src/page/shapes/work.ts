/** Queue rows, dead letters and worker processes. */

export interface WorkRow {
  readonly kind: "orchestrator" | "worker";
  readonly instanceId: string;
  readonly item: string;
  readonly name?: string;
  readonly eventId?: number;
  readonly visibleAtMs: number;
  readonly lockedUntilMs?: number;
  readonly suspended?: true;
  readonly lockOwner?: string;
  readonly attempts: number;
  readonly tag?: string;
  readonly session?: string;
}

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
  readonly rows: readonly WorkRow[];
  readonly continuation?: string;
  /** Absent where the store charges for a count. */
  readonly queues?: QueueFigures;
  readonly requestUnits?: number;
  readonly nowMs: number;
}

export interface DeadLetterRow {
  readonly id: string;
  readonly kind: "orchestrator" | "worker";
  readonly instanceId: string;
  readonly reason: string;
  readonly movedAtMs: number;
  readonly text: string;
}

export interface DeadLettersView {
  readonly rows: readonly DeadLetterRow[];
  readonly continuation?: string;
  readonly nowMs: number;
}

export interface WorkerRow {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly lastSeenAtMs: number;
  readonly packageVersion: string;
  readonly orchestrations: readonly { readonly name: string; readonly version: string }[];
  readonly activities: readonly string[];
  readonly tags?: readonly string[];
  readonly turns: { readonly busy: number; readonly all: number };
  readonly activitySlots: { readonly busy: number; readonly all: number };
}

/** An orchestration of which processes have several versions; the newest first. */
export interface OldVersions {
  readonly name: string;
  readonly newest: string;
  readonly older: readonly string[];
}

export interface WorkersView {
  readonly rows: readonly WorkerRow[];
  /** Old versions of all processes. */
  readonly oldVersions: readonly OldVersions[];
  readonly nowMs: number;
}

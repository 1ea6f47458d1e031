/**
 * Whether orchestration code may be running at this moment. The globals that the guard watches belong to the
 * whole process, so this is the one piece of state that its runtimes share.
 */

export type GuardMode = "error" | "warning" | "off";

/** What a runtime wants to happen when its orchestration code makes a guarded call. */
export interface GuardPolicy {
  readonly mode: GuardMode;
  readonly warn: (message: string) => void;
}

let strictTurns = 0;
const warningTurns: GuardPolicy[] = [];
let suspensions = 0;

const STRICT: GuardPolicy = { mode: "error", warn: () => {} };

/** Code of an orchestration begins to run; the caller closes the turn when it stands still. */
export function openTurn(policy: GuardPolicy): void {
  if (policy.mode === "error") strictTurns++;
  else if (policy.mode === "warning") warningTurns.push(policy);
}

export function closeTurn(policy: GuardPolicy): void {
  if (policy.mode === "error") strictTurns--;
  else if (policy.mode === "warning") warningTurns.splice(warningTurns.lastIndexOf(policy), 1);
}

/** Runs what a call of the context does on behalf of the runtime, such as writing a log line. */
export function unguarded<T>(run: () => T): T {
  suspendGuard();
  try {
    return run();
  } finally {
    resumeGuard();
  }
}

/** As `unguarded`, for hot paths: the caller resumes the guard in a `finally`. */
export function suspendGuard(): void {
  suspensions++;
}

export function resumeGuard(): void {
  suspensions--;
}

/** The strictest policy among the turns that are running; `undefined` where there is none. */
export function policyInForce(): GuardPolicy | undefined {
  if (suspensions > 0) return undefined;
  return strictTurns > 0 ? STRICT : warningTurns[0];
}

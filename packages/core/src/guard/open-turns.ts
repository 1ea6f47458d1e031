/**
 * Whether orchestration code may be running now. The guarded globals belong to the whole process, so all runtimes of
 * the process share this state.
 */

export type GuardMode = "error" | "warning" | "off";

/** The policy of a runtime for guarded calls of its orchestration code. */
export interface GuardPolicy {
  readonly mode: GuardMode;
  readonly warn: (message: string) => void;
}

let strictTurns = 0;
const warningTurns: GuardPolicy[] = [];
let suspensions = 0;

const STRICT: GuardPolicy = { mode: "error", warn: () => {} };

/** Called when orchestration code begins to run; the caller closes the turn when the code is idle. */
export function openTurn(policy: GuardPolicy): void {
  if (policy.mode === "error") strictTurns++;
  else if (policy.mode === "warning") warningTurns.push(policy);
}

export function closeTurn(policy: GuardPolicy): void {
  if (policy.mode === "error") strictTurns--;
  else if (policy.mode === "warning") warningTurns.splice(warningTurns.lastIndexOf(policy), 1);
}

/** Runs code of the runtime within a call of the context, such as writing a log line, without the guard. */
export function unguarded<T>(run: () => T): T {
  suspendGuard();
  try {
    return run();
  } finally {
    resumeGuard();
  }
}

/** Suspends the guard as `unguarded` does, for hot paths: the caller resumes it in a `finally`. */
export function suspendGuard(): void {
  suspensions++;
}

export function resumeGuard(): void {
  suspensions--;
}

/** The strictest policy of the running turns; `undefined` if no turn is running. */
export function policyInForce(): GuardPolicy | undefined {
  if (suspensions > 0) return undefined;
  return strictTurns > 0 ? STRICT : warningTurns[0];
}

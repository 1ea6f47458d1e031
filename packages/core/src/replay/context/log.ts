/** `ctx.log`: writes nothing while code is replayed, so each entry is written once. */
import { type ContextLog, contextLog, joined } from "../../define/logger.ts";
import type { Scope } from "../calls/scope.ts";
import { identityFields } from "../code/program.ts";
import type { RunningCode } from "../code/recorder.ts";

export function replaySafeLog(code: RunningCode, scope: Scope): ContextLog {
  return contextLog((level, fields, message) => {
    if (code.isReplaying || scope.stopped) return;
    code.surroundings.logger[level](joined(identityFields(code.identity), fields), message);
  });
}

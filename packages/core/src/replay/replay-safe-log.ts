/** `ctx.log`: says each line once, however often the code runs. */
import type { LogFields } from "../define/logger.ts";
import type { OrchestrationLog } from "../define/orchestration-context.ts";
import { unguarded } from "../guard/open-turns.ts";
import type { LiveExecution } from "./live-execution.ts";
import type { Scope } from "./scope.ts";

type Level = keyof OrchestrationLog;

export function replaySafeLog(execution: LiveExecution, scope: Scope): OrchestrationLog {
  const write =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void => {
      if (execution.isReplaying || scope.stopped) return;
      const { instanceId, executionId, program } = execution;
      const identity = {
        instance_id: instanceId,
        execution_id: executionId,
        orchestration_name: program.name,
        orchestration_version: program.version,
      };
      unguarded(() => execution.logger[level]({ ...identity, ...fields }, message));
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

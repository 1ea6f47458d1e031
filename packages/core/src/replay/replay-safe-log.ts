/** `ctx.log`: says each line once, however often the code runs. */
import type { LogFields } from "../define/logger.ts";
import type { OrchestrationLog } from "../define/orchestration-context.ts";
import { unguarded } from "../guard/open-turns.ts";
import { disowned } from "../guard/rejections.ts";
import type { LiveExecution } from "./live-execution.ts";
import type { Scope } from "./scope.ts";

export class ReplaySafeLog implements OrchestrationLog {
  readonly #execution: LiveExecution;
  readonly #scope: Scope;

  constructor(execution: LiveExecution, scope: Scope) {
    this.#execution = execution;
    this.#scope = scope;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write("error", message, fields);
  }

  #write(level: keyof OrchestrationLog, message: string, fields: LogFields = {}): void {
    const { instanceId, executionId, program, logger, isReplaying } = this.#execution;
    if (isReplaying || this.#scope.stopped) return;
    const identity = {
      instance_id: instanceId,
      execution_id: executionId,
      orchestration_name: program.name,
      orchestration_version: program.version,
    };
    disowned(() => unguarded(() => logger[level]({ ...identity, ...fields }, message)));
  }
}

/** `ctx.log`: writes nothing while code is replayed, so each line is written once. */
import { joined, type LogFields } from "../../define/logger.ts";
import type { OrchestrationLog } from "../../define/orchestration-context.ts";
import type { Scope } from "../calls/scope.ts";
import { identityFields } from "../code/program.ts";
import type { RunningCode } from "../code/recorder.ts";

export class ReplaySafeLog implements OrchestrationLog {
  readonly #code: RunningCode;
  readonly #scope: Scope;

  constructor(code: RunningCode, scope: Scope) {
    this.#code = code;
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

  #write(level: keyof OrchestrationLog, message: string, fields: LogFields | undefined): void {
    const { identity, surroundings, isReplaying } = this.#code;
    if (isReplaying || this.#scope.stopped) return;
    surroundings.logger[level](joined(identityFields(identity), fields), message);
  }
}

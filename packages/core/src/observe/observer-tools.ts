/** The instruments, tracer and logger of observations. */
import type { Clock } from "../contract/clock.ts";
import type { Logger } from "../define/logger.ts";
import type { Instruments } from "./instruments.ts";
import type { Tracing } from "./tracing.ts";

export interface ObserverTools {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly instruments: Instruments | undefined;
  readonly tracing: Tracing | undefined;
}

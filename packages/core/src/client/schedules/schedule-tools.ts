/** The dependencies of the calls of `client.schedules`. */
import type { Clock } from "../../contract/clock.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Logger } from "../../define/logger.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import type { InstanceHandle } from "../instance-handle.ts";

export interface ScheduleTools {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly codec: NamingCodec;
  /** Bytes. */
  readonly maxPayloadBytes: number;
  readonly handle: (instanceId: string) => InstanceHandle<unknown>;
  /** Names and hashes of the older definitions that were logged. */
  readonly outdated: Set<string>;
}

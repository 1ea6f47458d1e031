/** The data that the parts of a test environment share. */
import type { Provider } from "../../contract/provider.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import type { OrchestrationRegistry } from "../../runtime/registry.ts";
import type { VirtualClock } from "../virtual-clock.ts";
import type { ActivityRecorder } from "./activity-recorder.ts";

export interface EnvironmentParts {
  readonly provider: Provider;
  readonly clock: VirtualClock;
  readonly codec: PayloadCodec;
  readonly registry: OrchestrationRegistry;
  readonly recorder: ActivityRecorder;
  /** The names of the registered activities. */
  readonly activityNames: ReadonlySet<string>;
}

/** What the routes work with. */
import type { Admin, Client, Clock, Logger } from "@duroxide-ts/core";
import type { Payloads } from "../payloads/payloads.ts";
import type { Kept } from "./kept.ts";
import type { KnownOrchestrations } from "./known-orchestrations.ts";
import type { RareWarnings } from "./rare-warnings.ts";
import type { SharedOverview } from "./shared-overview.ts";
import type { StoreFigures } from "./store-figures.ts";

export interface Source {
  readonly client: Client;
  readonly admin: Admin;
  readonly payloads: Payloads;
  readonly overview: SharedOverview;
  readonly figures: Kept<StoreFigures>;
  readonly orchestrations: KnownOrchestrations;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly warnings: RareWarnings;
  readonly title: string;
  /** Whether the store changes instances by hand; true if the store does not say. */
  readonly revises: boolean;
  /** The store charges by request. */
  readonly costs: boolean;
  readonly readOnly: boolean;
}

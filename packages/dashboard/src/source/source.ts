/** The source of the routes: store, clients, clock and log. */
import type { Admin, Client, Clock, Logger } from "@duroxide-ts/core";
import type { RareWarnings } from "@duroxide-ts/core/stores";
import type { Payloads } from "../payloads/payloads.ts";
import type { Kept } from "./kept.ts";
import type { KnownOrchestrations } from "./known-orchestrations.ts";
import type { SharedOverview } from "./shared-overview.ts";
import type { StoreFigures } from "./store-figures.ts";

export interface Source {
  /**
   * Client for what is shown, and for what actions look for: with `redact` it reads what may be shown, and acts not.
   */
  readonly client: Client;
  /** Administration of `client`. */
  readonly admin: Admin;
  /** Client for actions, which may store again what they have read. Nothing that it returns is shown. */
  readonly acting: Client;
  /** Whether parts of what is read may be replaced. */
  readonly redacts: boolean;
  readonly payloads: Payloads;
  readonly overview: SharedOverview;
  readonly figures: Kept<StoreFigures>;
  readonly orchestrations: KnownOrchestrations;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly warnings: RareWarnings;
  readonly title: string;
  /** The store charges by request. */
  readonly costs: boolean;
  readonly readOnly: boolean;
}

/** The context of a case. */
import type { Provider, ProviderAdmin } from "@duroxide-ts/core/stores";
import type { Check } from "./check.ts";
import type { Capabilities, TestStore } from "./factory.ts";
import type { CaseTime } from "./time.ts";

/** The provider and the lease of calls. The steps take a caller; a case's context is one. */
export interface Caller {
  readonly provider: Provider;
  /** The default lease of the steps, ms. */
  readonly lockMs: number;
}

/** A fresh store, time, and assertions. */
export interface CaseContext extends Caller {
  readonly store: TestStore;
  readonly capabilities: Capabilities;
  /** The administration of the provider. */
  readonly admin: ProviderAdmin;
  readonly time: CaseTime;
  readonly check: Check;
  /** The longest that a call without waiting may take, ms. */
  readonly responseMs: number;
  /** Another fresh store, with the same clock and assertions. It is closed when it is disposed, or with the case. */
  openStore(): Promise<CaseContext & AsyncDisposable>;
  /** Another provider on the same store; only for cases that need `several-providers`. */
  openAnother(): Promise<CaseContext>;
}

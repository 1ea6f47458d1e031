/** A store of the soak: where its processes find it, and the faults that it can show them. */
import type { Provider } from "@duroxide-ts/core";

export const STORE_NAMES = ["sqlite", "cosmos"] as const;

export type StoreName = (typeof STORE_NAMES)[number];

/** How a process opens the store. Travels as JSON. */
export type StoreAddress =
  | { readonly kind: "sqlite"; readonly file: string; readonly maxSizeBytes: number }
  | {
      readonly kind: "cosmos";
      readonly endpoint: string;
      readonly key: string;
      readonly database: string;
      readonly container: string;
    };

/** Disposing ends all faults and removes what is stored. */
export interface SoakStore extends AsyncDisposable {
  /** Address at which the processes reach it, faults included. */
  readonly address: StoreAddress;
  /** Provider of the soak itself, without faults. Closed with the store. */
  readonly provider: Provider;
  /** Begins a fault of its choice, which lasts until `mend`. Resolves to its name. */
  spoil(): Promise<string>;
  mend(): Promise<void>;
  /**
   * Whether a frozen process blocks the writes of all others. The soak must thaw it, because the locks of the others
   * would expire.
   */
  isHeld(): Promise<boolean>;
}

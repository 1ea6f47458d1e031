/** Checks the properties of an account on which the safety of leases depends. */
import type { DatabaseAccount } from "@azure/cosmos";
import { cannotOpen } from "./open-error.ts";
import type { Settings } from "./options.ts";

/** A request may use the consistency of the account or a weaker one, and ours use Session. */
const STRONG_ENOUGH: ReadonlySet<string> = new Set(["Strong", "BoundedStaleness", "Session"]);

/** Throws `cannot-open`. */
export function checkAccount(settings: Settings, account: DatabaseAccount): void {
  if (account.enableMultipleWritableLocations) {
    throw cannotOpen(
      settings,
      "the account is written to in several regions, so two processes could hold the same lease, each in its own region. Use an account with one write region; it may have as many read regions as you like",
    );
  }
  const level = String(account.consistencyPolicy);
  if (STRONG_ENOUGH.has(level)) return;
  throw cannotOpen(
    settings,
    `the account's consistency is ${level}, and the service refuses requests that ask for more, while the provider must read what it wrote. Set the account's default to Session`,
  );
}

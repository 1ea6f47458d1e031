/**
 * `setCustomStatus` (runtime-semantics §2.13). Any status matches any other, because a change of the text must not
 * block running instances.
 */
import { type Content, shortenForApi } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

export interface CustomStatusRequest extends Content {
  readonly status: string | null;
}

export const CUSTOM_STATUS: CallKind<CustomStatusRequest, "CustomStatusUpdated"> = callKind({
  name: "custom-status",
  schedules: "CustomStatusUpdated",
  toEvent: ({ status }) => ({ status }),
  recorded: ({ status }) => ({ status }),
  describe: ({ status }) => `setCustomStatus(${shortenForApi(status ?? "undefined")})`,
  mayGoUnmatched: true,
  mismatch: "custom status mismatch",
});

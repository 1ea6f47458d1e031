/** Stored failures as the page shows them. */
import {
  cleanUpFailureOf,
  displayMessage,
  type ErrorDetails,
  failureCategory,
} from "@duroxide-ts/core/stores";
import type { ShownFailure } from "../page/shapes/payload.ts";
import type { Payloads } from "./payloads.ts";

export function showFailure(details: ErrorDetails, payloads: Payloads): ShownFailure {
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  const name = thrown?.class ?? thrown?.name;
  const stack = thrown?.stack?.replaceAll(/^\s+/gm, "");
  const left = cleanUpFailureOf(details);
  return {
    category: failureCategory(details),
    ...(name !== undefined && { name }),
    message:
      left === undefined ? displayMessage(details) : `${displayMessage(details)}; clean-up failed: ${left}`,
    ...(stack !== undefined && stack !== "" && { stack }),
    details: payloads.showValue(details).text,
  };
}

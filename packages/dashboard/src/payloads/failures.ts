/** Stored failures as the page shows them. */
import { displayMessage, type ErrorDetails, errorCategory } from "@duroxide-ts/core/stores";
import type { ShownFailure } from "../page/shapes/payload.ts";
import type { Payloads } from "./payloads.ts";

export function showFailure(details: ErrorDetails, payloads: Payloads): ShownFailure {
  const thrown = "Application" in details ? details.Application.thrown : undefined;
  const name = thrown?.class ?? thrown?.name;
  const stack = thrown?.stack?.replaceAll(/^\s+/gm, "");
  return {
    category: isCancellation(details) ? "cancelled" : errorCategory(details),
    ...(name !== undefined && { name }),
    message: displayMessage(details),
    ...(stack !== undefined && stack !== "" && { stack }),
    details: payloads.showValue(details).text,
  };
}

export function isCancellation(details: ErrorDetails): boolean {
  return "Application" in details && typeof details.Application.kind === "object";
}

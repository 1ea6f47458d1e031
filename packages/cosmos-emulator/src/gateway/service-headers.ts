/** Headers that every answer has (docs/reference/cosmos-protocol.md §1.12). */
import type { Answer } from "./answer.ts";
import { HEADER } from "./headers.ts";

/**
 * What the service says of itself. `strict-transport-security` is left out on purpose: a browser would remember it
 * for everything else on this machine's loopback address.
 */
const SERVICE_HEADERS = {
  "cache-control": "no-store, no-cache",
  pragma: "no-cache",
  server: "cosmos-emulator",
  "x-ms-gatewayversion": "version=2.14.0",
  "x-ms-serviceversion": "version=2.14.0.0",
  "x-ms-schemaversion": "1.21",
} as const;

export function withServiceHeaders(answer: Answer, activityId: string, nowMs: number): Answer {
  return {
    ...answer,
    headers: {
      ...SERVICE_HEADERS,
      date: new Date(nowMs).toUTCString(),
      [HEADER.activityId]: activityId,
      [HEADER.requestCharge]: chargeText(answer.charge),
      ...answer.headers,
    },
  };
}

/** Two decimals at most, none where there are none, as the service writes charges. */
function chargeText(charge: number): string {
  return String(Math.round(charge * 100) / 100);
}

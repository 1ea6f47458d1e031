/** Headers that every answer has, or every answer of a replica (docs/reference/cosmos-protocol.md §1.12). */
import { HEADER } from "../headers/headers.ts";
import type { Answer } from "./answer.ts";

/**
 * Headers in which the service describes itself. `strict-transport-security` is left out on purpose: a browser would
 * remember it for everything else on this machine's loopback address.
 */
const SERVICE_HEADERS = {
  "cache-control": "no-store, no-cache",
  pragma: "no-cache",
  server: "cosmos-emulator",
  "x-ms-gatewayversion": "version=2.14.0",
  "x-ms-serviceversion": "version=2.14.0.0",
  "x-ms-schemaversion": "1.21",
} as const;

/** Facts about the serving of a request. */
export interface Service {
  readonly activityId: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly durationMs: number;
  /** Number of requests until this one. */
  readonly requestNumber: number;
  /** Start of the endpoint, in milliseconds since the epoch. */
  readonly runsSinceMs: number;
}

export function withServiceHeaders(answer: Answer, service: Service): Answer {
  const isOfReplica = answer.headers[HEADER.lsn] !== undefined;
  return {
    ...answer,
    headers: {
      ...SERVICE_HEADERS,
      date: new Date(service.nowMs).toUTCString(),
      [HEADER.activityId]: service.activityId,
      [HEADER.requestCharge]: chargeText(answer.charge),
      ...(isOfReplica && {
        "x-ms-request-duration-ms": service.durationMs.toFixed(3),
        "x-ms-transport-request-id": String(service.requestNumber),
        "x-ms-number-of-read-regions": "0",
        "x-ms-last-state-change-utc": new Date(service.runsSinceMs).toUTCString(),
      }),
      ...answer.headers,
    },
  };
}

/** Writes a charge as the service does: two decimals at most, none where there are none. */
function chargeText(charge: number): string {
  return String(Math.round(charge * 100) / 100);
}

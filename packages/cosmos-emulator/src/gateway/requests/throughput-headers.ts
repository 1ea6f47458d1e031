/** The throughput that a new database or container is to have (docs/reference/cosmos-protocol.md §1.5). */
import type { Throughput } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { isJsonObject, parseJson } from "../../protocol/json-text.ts";
import { HEADER, integerHeader, textHeader } from "../headers/headers.ts";
import type { GatewayRequest } from "./request.ts";

/** Reads the throughput; undefined where the request names none, 400 for both sorts at once. */
export function throughputOfRequest({ headers }: GatewayRequest): Throughput | undefined {
  const manual = integerHeader(headers, HEADER.offerThroughput);
  const autoscale = textHeader(headers, HEADER.autopilot);
  if (autoscale === undefined) return manual === undefined ? undefined : { manual };
  if (manual !== undefined) {
    throw CosmosError.badRequest(`Send either ${HEADER.offerThroughput} or ${HEADER.autopilot}, not both.`);
  }
  const settings = parseJson(autoscale);
  const maximum = isJsonObject(settings) ? settings["maxThroughput"] : undefined;
  if (typeof maximum !== "number") {
    throw CosmosError.badRequest(
      `The header ${HEADER.autopilot} is JSON of the form {"maxThroughput":1000}.`,
    );
  }
  return { autoscaleMax: maximum };
}

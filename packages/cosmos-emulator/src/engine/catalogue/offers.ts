/** Offers: what throughput a database or a container has. Nothing here limits it; see the gateway's throttle. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { isJsonObject, parseDocument } from "../../protocol/json-text.ts";
import { offerRid } from "../../protocol/resource-id.ts";
import type { Catalogue, Naming, Resource } from "./catalogue.ts";

/** Request units per second, fixed or up to a maximum. */
export type Throughput = { readonly manual: number } | { readonly autoscaleMax: number };

const MANUAL_MINIMUM = 400;
const AUTOSCALE_MINIMUM = 1000;
const STEP = 100;

/** The throughput of a container that names none and has no share in its database's. */
export const DEFAULT_THROUGHPUT: Throughput = { manual: MANUAL_MINIMUM };

const naming: Naming = { rid: offerRid, self: (rid) => `offers/${rid}/` };

export function createOffer(
  catalogue: Catalogue,
  owner: { rid: string; self: string },
  throughput: Throughput,
): Resource {
  checkThroughput(throughput);
  const own: JsonObject = {
    resource: owner.self,
    offerResourceId: owner.rid,
    offerVersion: "V2",
    offerType: "Invalid",
    content: contentOf(throughput),
  };
  // An offer's id is its rid, which its number decides.
  const placeholder = { kind: "offers", parent: "", id: `offer of ${owner.rid}`, own } as const;
  const inserted = catalogue.insert(placeholder, naming);
  return catalogue.replace(inserted, { ...placeholder, id: inserted.rid }, naming);
}

/** Finds the offer of a database or container by the owner's `_rid`. */
export function offerOf(catalogue: Catalogue, ownerRid: string): Resource | undefined {
  return catalogue.list("offers", "").find(({ body }) => parseDocument(body)["offerResourceId"] === ownerRid);
}

/** The limit that an offer sets. */
export interface ProvisionedThroughput {
  /** The offer's `_rid`. */
  readonly offer: string;
  /** Request units per second; with autoscale the maximum. */
  readonly requestUnitsPerSecond: number;
}

export function provisionedBy({ rid, body }: Resource): ProvisionedThroughput {
  const throughput = throughputOf(parseDocument(body)["content"]);
  return {
    offer: rid,
    requestUnitsPerSecond: "manual" in throughput ? throughput.manual : throughput.autoscaleMax,
  };
}

export function findOffer(catalogue: Catalogue, rid: string): Resource {
  const found = catalogue.find("offers", "", rid);
  if (found === undefined)
    throw CosmosError.notFound(`There is no offer ${JSON.stringify(rid)}. Read the feed of offers.`);
  return found;
}

function throughputOf(content: unknown): Throughput {
  if (isJsonObject(content as JsonObject)) {
    const { offerThroughput, offerAutopilotSettings } = content as JsonObject;
    if (isJsonObject(offerAutopilotSettings)) {
      return { autoscaleMax: Number(offerAutopilotSettings["maxThroughput"]) };
    }
    if (typeof offerThroughput === "number") return { manual: offerThroughput };
  }
  throw CosmosError.badRequest(
    "The offer is invalid: content needs offerThroughput or offerAutopilotSettings.",
  );
}

function contentOf(throughput: Throughput): JsonObject {
  if ("manual" in throughput) {
    return { offerThroughput: throughput.manual, offerIsRUPerMinuteThroughputEnabled: false };
  }
  const { autoscaleMax } = throughput;
  return {
    // An idle resource with autoscale is provisioned with a tenth of its maximum.
    offerThroughput: autoscaleMax / 10,
    offerIsRUPerMinuteThroughputEnabled: false,
    offerAutopilotSettings: { maxThroughput: autoscaleMax },
  };
}

function checkThroughput(throughput: Throughput): void {
  const [amount, minimum] =
    "manual" in throughput
      ? [throughput.manual, MANUAL_MINIMUM]
      : [throughput.autoscaleMax, AUTOSCALE_MINIMUM];
  if (!Number.isInteger(amount) || amount < minimum || amount % STEP !== 0) {
    throw CosmosError.badRequest(
      `The throughput ${amount} is invalid: give a multiple of ${STEP}, at least ${minimum}.`,
    );
  }
}

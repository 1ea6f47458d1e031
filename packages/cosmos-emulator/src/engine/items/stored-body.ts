/** The text under which an item is stored and answered: the user's properties, then the system's. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { writeJson } from "../../protocol/json-text.ts";
import { containerChildRid } from "../../protocol/resource-id.ts";

/** Largest size in bytes of the item's UTF-8 text. */
export const MAX_ITEM_BYTES: number = 2 * 1024 * 1024;

export interface SystemProperties {
  /** The `_rid` of the container. */
  readonly containerRid: string;
  /** The container's link, `dbs/<rid>/colls/<rid>/`. */
  readonly containerSelf: string;
  readonly seq: number;
  readonly etag: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
}

/** Drops the system properties that a client sends back. */
export function withoutSystemProperties(document: JsonObject): JsonObject {
  if (
    !(
      "_rid" in document ||
      "_self" in document ||
      "_etag" in document ||
      "_ts" in document ||
      "_attachments" in document
    )
  ) {
    return document;
  }
  const { _rid, _self, _etag, _ts, _attachments, ...own } = document;
  return own;
}

export interface StoredBody {
  readonly text: string;
  readonly sizeBytes: number;
}

/** Throws 413 if the item is too large. */
export function storedBody(own: JsonObject, system: SystemProperties): StoredBody {
  const rid = containerChildRid(system.containerRid, "docs", system.seq);
  const user = writeJson(own).slice(0, -1);
  const text = `${user}${user === "{" ? "" : ","}"_rid":"${rid}","_self":"${system.containerSelf}docs/${rid}/","_etag":${JSON.stringify(system.etag)},"_attachments":"attachments/","_ts":${system.timestamp}}`;
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes > MAX_ITEM_BYTES) throw tooLarge(sizeBytes);
  return { text, sizeBytes };
}

function tooLarge(sizeBytes: number): CosmosError {
  return new CosmosError({
    status: 413,
    code: "RequestEntityTooLarge",
    message: `Request size is too large: the item takes ${sizeBytes} bytes, at most ${MAX_ITEM_BYTES} are stored. Split it into several items.`,
  });
}

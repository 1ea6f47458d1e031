/** Operations on an item, and their results. */
import type { JsonObject, JsonValue } from "../../protocol/json.ts";

/** JSON text, or the same already read by `parseJson`. */
export type ItemBody = string | JsonObject;

/** Conditions on the item as it is stored; values are ETags with their quotes, or `*`. */
export interface Preconditions {
  /** 412 unless the stored ETag is this one. A create has nothing to compare and ignores it. */
  readonly ifMatch?: string;
  /** A read answers 304 if the stored ETag is this one. Writes ignore it (assumed, §8.3). */
  readonly ifNoneMatch?: string;
}

export type PatchOperation =
  | { readonly op: "add" | "set" | "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "incr"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move"; readonly path: string; readonly from: string };

export interface PatchRequest {
  /** `from c where …`; the patch is refused with 412 unless it is true for the item. */
  readonly condition?: string;
  readonly operations: readonly PatchOperation[];
}

export interface CreateOperation extends Preconditions {
  readonly kind: "create";
  readonly body: ItemBody;
}

export interface UpsertOperation extends Preconditions {
  readonly kind: "upsert";
  readonly body: ItemBody;
}

export interface ReplaceOperation extends Preconditions {
  readonly kind: "replace";
  readonly id: string;
  readonly body: ItemBody;
}

export interface ReadOperation extends Preconditions {
  readonly kind: "read";
  readonly id: string;
}

export interface DeleteOperation extends Preconditions {
  readonly kind: "delete";
  readonly id: string;
}

export interface PatchItemOperation extends Preconditions {
  readonly kind: "patch";
  readonly id: string;
  readonly patch: PatchRequest;
}

export type WriteOperation =
  | CreateOperation
  | UpsertOperation
  | ReplaceOperation
  | DeleteOperation
  | PatchItemOperation;

export type ItemOperation = ReadOperation | WriteOperation;

export interface ItemResult {
  /** 200, 201, 204, or 304 for a read whose `ifNoneMatch` holds. */
  readonly status: number;
  readonly charge: number;
  /** ETag of the item; absent after a delete. */
  readonly etag?: string;
  /** The item as JSON text; absent after a delete and with 304. */
  readonly body?: string;
  /** Position of the latest write of the physical partition, this one included. */
  readonly lsn: number;
  /** The physical partition. */
  readonly rangeId: string;
}

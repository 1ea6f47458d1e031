/** A patch of a stored item: its condition, what must not be patched, and the document that comes out. */
import type { JsonObject } from "../../../protocol/json.ts";
import { checkDepth, parseDocument } from "../../../protocol/json-text.ts";
import type { ContainerState } from "../../container-state.ts";
import type { ItemRow } from "../../store/item-row.ts";
import type { PatchRequest } from "../item-operation.ts";
import { conditionFailed } from "../item-refusals.ts";
import { applyPatch } from "./apply-patch.ts";
import { invalidPatch, parsePatchPath } from "./parse-patch.ts";

/** The service assigns or addresses by these; `/ttl` may be patched. */
const FIXED = new Set(["id", "_rid", "_self", "_etag", "_ts", "_attachments"]);

/** Throws 412 if the condition is false, 400 if the patch does not fit; nothing has happened then. */
export function patchDocument(state: ContainerState, row: ItemRow, patch: PatchRequest): JsonObject {
  for (const operation of patch.operations) {
    refuseFixed(operation.path);
    if (operation.op === "move") refuseFixed(operation.from);
  }
  if (patch.condition !== undefined && !state.store.holds(patch.condition, row.body)) throw conditionFailed();
  const document = parseDocument(row.body);
  applyPatch(document, patch.operations);
  checkDepth(document);
  if (state.keyTextOf(document) !== row.pk) {
    throw invalidPatch("the partition key of an item cannot be changed");
  }
  return document;
}

function refuseFixed(path: string): void {
  const [first = ""] = parsePatchPath(path);
  if (FIXED.has(first)) throw invalidPatch(`/${first} cannot be patched`);
}

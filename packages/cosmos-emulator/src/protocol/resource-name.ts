/**
 * The ids that the service accepts, for items and for everything else (docs/reference/cosmos-protocol.md §1.4, §3.1).
 */
import { CosmosError } from "./cosmos-error.ts";
import type { JsonObject } from "./json.ts";

const MAX_ITEM_ID_BYTES = 1023;
const MAX_NAME_CHARACTERS = 255;

/** Slashes end segments of addresses. `?` and `#` are advised against but stored. */
const FORBIDDEN_IN_ITEM_ID = /[/\\]/;
const FORBIDDEN_IN_NAME = /[/\\?#]/;

/**
 * Returns the `id` of an item to be stored; 400 if it is absent, empty, too long or forbidden.
 * @param isLenient Slashes and backslashes are stored, as other emulators do.
 */
export function checkItemId(document: JsonObject, isLenient: boolean): string {
  const { id } = document;
  if (id === undefined) {
    throw CosmosError.badRequest(
      "The input content is invalid because the required properties - 'id; ' - are missing",
    );
  }
  if (typeof id !== "string" || id === "") throw refused("an id must be a string that is not empty");
  if (!isLenient && FORBIDDEN_IN_ITEM_ID.test(id)) throw refused("an id must not contain / or \\");
  // A character takes up to three bytes: only ids longer than a third of the limit need counting.
  if (id.length > MAX_ITEM_ID_BYTES / 3 && Buffer.byteLength(id) > MAX_ITEM_ID_BYTES) {
    throw refused(`an id must not be longer than ${MAX_ITEM_ID_BYTES} bytes`);
  }
  return id;
}

/** Returns the `id` of a database, container, stored procedure or other resource; 400 as for items, but stricter. */
export function checkName(resource: JsonObject): string {
  const { id } = resource;
  if (typeof id !== "string" || id === "") throw refused("an id must be a string that is not empty");
  if (FORBIDDEN_IN_NAME.test(id)) throw refused("an id must not contain / \\ ? or #");
  if (id.endsWith(" ")) throw refused("an id must not end in a space");
  if (id.length > MAX_NAME_CHARACTERS) {
    throw refused(`an id must not be longer than ${MAX_NAME_CHARACTERS} characters`);
  }
  return id;
}

function refused(rule: string): CosmosError {
  return CosmosError.badRequest(`The input name is invalid: ${rule}. Choose another id.`);
}

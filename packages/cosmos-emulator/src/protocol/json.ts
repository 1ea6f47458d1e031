/** JSON as it is stored and answered. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

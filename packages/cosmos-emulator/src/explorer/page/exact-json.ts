/**
 * JSON that keeps its digits: the endpoint stores integers beyond 2^53 exactly, and a viewer that rounds them would
 * show something else.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

type Reviver = (key: string, value: Json, context?: { readonly source?: string }) => Json;

/** Newer than the declarations; a browser without them shows such numbers rounded, as everything else in it does. */
const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): Json;
  readonly rawJSON?: (text: string) => Json;
};

export function parseExact(text: string): Json {
  return json.parse(text, (_, value, context) => {
    const source = context?.source;
    const isRounded = typeof value === "number" && source !== undefined && String(value) !== source;
    return isRounded && json.rawJSON !== undefined ? json.rawJSON(source) : value;
  });
}

export function pretty(value: Json | undefined): string {
  return JSON.stringify(value, undefined, 2) ?? "";
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

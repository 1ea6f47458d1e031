/** The fields of a form for a JSON schema. What a field cannot show is written as JSON, so every input can be given. */
import type { FieldKind, FieldView } from "../page/shapes/inputs.ts";

type Json = Readonly<Record<string, unknown>>;

/** Objects deeper than this are written as JSON. */
const MOST_DEPTH = 3;
/** An object with more members is written as JSON. */
const MOST_MEMBERS = 50;

/** The fields of the input that the schema describes, in the order of the schema; undefined for what is no schema. */
export function formFields(schema: unknown): readonly FieldView[] | undefined {
  return isRecord(schema) ? fieldsAt(schema, [], true) : undefined;
}

function fieldsAt(schema: Json, path: readonly string[], isRequired: boolean): readonly FieldView[] {
  const members = schema["properties"];
  const isGroup = schema["type"] === "object" && isRecord(members) && path.length < MOST_DEPTH;
  if (!isGroup || takesOthers(schema)) return [fieldOf(schema, path, isRequired)];
  const names = Object.keys(members);
  if (names.length === 0 || names.length > MOST_MEMBERS) return [fieldOf(schema, path, isRequired)];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return names.flatMap((name) => {
    const member = members[name];
    return fieldsAt(isRecord(member) ? member : {}, [...path, name], isRequired && required.includes(name));
  });
}

/** Members without a name have no field, and combined schemas are more than their properties. */
function takesOthers(schema: Json): boolean {
  return (
    isRecord(schema["additionalProperties"]) ||
    ["allOf", "anyOf", "oneOf", "$ref", "patternProperties"].some((name) => name in schema)
  );
}

function fieldOf(schema: Json, path: readonly string[], isRequired: boolean): FieldView {
  const { title, description, minimum, maximum, maxLength } = schema;
  const choices = choicesOf(schema);
  const fallback =
    schema["default"] === undefined ? undefined : `Empty for ${JSON.stringify(schema["default"])}.`;
  const hint = [description, fallback].filter((part) => typeof part === "string" && part !== "").join(" ");
  return {
    path,
    kind: choices === undefined ? kindOf(schema["type"]) : "choice",
    isRequired,
    ...(typeof title === "string" && { title }),
    ...(hint !== "" && { hint }),
    ...(choices !== undefined && { choices }),
    ...(typeof minimum === "number" && { least: minimum }),
    ...(typeof maximum === "number" && { most: maximum }),
    ...(typeof maxLength === "number" && { mostLength: maxLength }),
  };
}

function kindOf(type: unknown): FieldKind {
  if (type === "string") return "text";
  if (type === "integer") return "whole";
  return type === "number" ? "number" : "json";
}

function choicesOf(schema: Json): FieldView["choices"] {
  if (schema["type"] === "boolean") return [true, false];
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  return Array.isArray(values) && values.every(isPrimitive) ? values : undefined;
}

function isPrimitive(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

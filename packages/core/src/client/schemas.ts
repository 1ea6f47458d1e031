/** Schemas of the values that a handle reads. */
import type { AnyOrchestration } from "../define/orchestration-context.ts";
import { type StandardSchema, validateStored } from "../define/standard-schema.ts";

/** The schemas by which a handle reads its instance. */
export type Schemas = Readonly<Record<"result" | "customStatus", StandardSchema | undefined>>;

/** No schemas: those of an orchestration that is known by its name only. */
export const NO_SCHEMAS: Schemas = { result: undefined, customStatus: undefined };

/** The schemas of an orchestration; a name has none. */
export function schemasOf(orchestration: AnyOrchestration | string): Schemas {
  if (typeof orchestration === "string") return NO_SCHEMAS;
  const { result, customStatus } = orchestration;
  return { result, customStatus };
}

const WORDS: Readonly<Record<keyof Schemas, string>> = { result: "result", customStatus: "custom status" };

/** The value as its schema returns it. InvalidInputError for one that it refuses. */
export function validated(
  schemas: Schemas,
  which: keyof Schemas,
  value: unknown,
  instanceId: string,
): unknown {
  const schema = schemas[which];
  if (schema === undefined) return value;
  return validateStored(schema, value, `${WORDS[which]} of instance "${instanceId}"`);
}

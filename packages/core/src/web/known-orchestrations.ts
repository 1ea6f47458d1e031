/** The orchestrations whose code a server was given: their inputs have schemas, and are checked before a start. */
import type { AnyOrchestration } from "../define/orchestration-context.ts";

/** Schema libraries write this version of JSON Schema; OpenAPI 3.1 has it too. */
const TARGET = "draft-2020-12";

/**
 * The code that a start with this name and version is for. Without a version the workers decide which one runs, so only
 * where one version is known the answer is certain.
 */
export function codeOf(
  definitions: readonly AnyOrchestration[],
  name: string,
  version: string | undefined,
): AnyOrchestration | undefined {
  const named = definitions.filter((one) => one.name === name);
  if (version === undefined) return named.length === 1 ? named[0] : undefined;
  return named.find((one) => one.version === version);
}

/** Additional part of a validator of Standard Schema that can say its JSON schema. */
interface Described {
  readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown };
}

/** The JSON Schema of the input; `undefined` where the validator does not say it. */
export function inputSchemaOf({ schema }: AnyOrchestration): unknown {
  const standard: (object & Described) | undefined = schema?.["~standard"];
  try {
    return standard?.jsonSchema?.input?.({ target: TARGET });
  } catch {
    // The schema has a part without a JSON form, such as a date.
    return undefined;
  }
}

/** The orchestrations whose code the dashboard was given: their inputs have forms, and are checked before a start. */
import type { AnyOrchestration } from "@duroxide-ts/core";
import type { KnownInput } from "../page/shapes/inputs.ts";
import { formFields } from "./form-fields.ts";

/** Schema libraries write this version of JSON Schema. */
const TARGET = "draft-2020-12";

export class KnownOrchestrations {
  readonly #definitions: readonly AnyOrchestration[];
  #inputs: readonly KnownInput[] | undefined;

  constructor(definitions: readonly AnyOrchestration[]) {
    this.#definitions = definitions;
  }

  /** Inputs by name and version. */
  get inputs(): readonly KnownInput[] {
    this.#inputs ??= this.#definitions
      .map(inputOf)
      .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
    return this.#inputs;
  }

  /**
   * The code that a start with this name and version is for. Without a version the workers decide which one runs, so
   * only where one version is known the answer is certain.
   */
  find(name: string, version: string | undefined): AnyOrchestration | undefined {
    const named = this.#definitions.filter((one) => one.name === name);
    if (version === undefined) return named.length === 1 ? named[0] : undefined;
    return named.find((one) => one.version === version);
  }
}

function inputOf(definition: AnyOrchestration): KnownInput {
  const fields = formFields(inputSchemaOf(definition));
  return { name: definition.name, version: definition.version, ...(fields !== undefined && { fields }) };
}

/** Additional part of a validator of Standard Schema that can say its JSON schema. */
interface Described {
  readonly jsonSchema?: { readonly input?: (options: { readonly target: string }) => unknown };
}

function inputSchemaOf({ schema }: AnyOrchestration): unknown {
  const standard: (object & Described) | undefined = schema?.["~standard"];
  try {
    return standard?.jsonSchema?.input?.({ target: TARGET });
  } catch {
    // The schema has a part without a JSON form, such as a date; its input is written as JSON.
    return undefined;
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

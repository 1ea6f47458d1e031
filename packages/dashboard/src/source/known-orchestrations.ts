/** The orchestrations whose code the dashboard was given: their inputs have forms, and are checked before a start. */
import type { AnyOrchestration } from "@duroxide-ts/core";
import { codeOf, inputSchemaOf } from "@duroxide-ts/core/web";
import type { KnownInput } from "../page/shapes/inputs.ts";
import { formFields } from "./form-fields.ts";

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

  find(name: string, version: string | undefined): AnyOrchestration | undefined {
    return codeOf(this.#definitions, name, version);
  }
}

function inputOf(definition: AnyOrchestration): KnownInput {
  const fields = formFields(inputSchemaOf(definition));
  return { name: definition.name, version: definition.version, ...(fields !== undefined && { fields }) };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Puts the translators of values and conditions together. */
import type { JsonValue } from "../../protocol/json.ts";
import { translateCondition } from "./condition.ts";
import type { GroupColumns, Translator } from "./translator.ts";
import { translateValue } from "./value.ts";

/** Makes a translator for one statement. `document` is the name of the document, if the query reads any. */
export function createTranslator(
  parameters: ReadonlyMap<string, JsonValue>,
  document: string | undefined,
): Translator {
  const create = (group: GroupColumns | undefined): Translator => {
    const translator: Translator = {
      parameters,
      document,
      group,
      value: (expression) => translateValue(expression, translator),
      holds: (expression) => translateCondition(expression, true, translator),
      fails: (expression) => translateCondition(expression, false, translator),
      grouped: create,
    };
    return translator;
  };
  return create(undefined);
}

/** Puts the translators of values, conditions and subqueries together. */
import type { JsonValue } from "../../protocol/json.ts";
import { translateCondition } from "./condition.ts";
import { translateSubquery } from "./subquery.ts";
import type { Aliases, GroupColumns, Translator } from "./translator.ts";
import { translateValue } from "./value.ts";

/** Makes a translator without any alias, for one statement. */
export function createTranslator(parameters: ReadonlyMap<string, JsonValue>): Translator {
  let names = 0;
  const freshName = (): string => {
    names += 1;
    return `x${names}`;
  };
  const create = (aliases: Aliases, group: GroupColumns | undefined): Translator => {
    const translator: Translator = {
      parameters,
      aliases,
      group,
      freshName,
      value: (expression) => translateValue(expression, translator),
      holds: (expression) => translateCondition(expression, true, translator),
      fails: (expression) => translateCondition(expression, false, translator),
      rows: (select, documents) =>
        translateSubquery(select, translator.within({ group: undefined }), documents),
      within: (change) =>
        create(change.aliases ?? aliases, Object.hasOwn(change, "group") ? change.group : group),
    };
    return translator;
  };
  return create(new Map(), undefined);
}

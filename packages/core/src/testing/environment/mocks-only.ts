/** The switch `mockAll`: an activity that is not mocked must not run in a test. */
import type { AnyActivity } from "../../define/definition-types.ts";
import { NonRetryableError } from "../../errors/duroxide-error.ts";

/** The same activities; the handlers of those that are not mocked throw. */
export function mocksOnly(activities: readonly AnyActivity[]): AnyActivity[] {
  return activities.map((definition) =>
    definition.isMock ? definition : definition.mock(refusal(definition.name)),
  );
}

function refusal(name: string): () => never {
  return () => {
    throw new NonRetryableError(
      `activity ${JSON.stringify(name)} is not mocked, and mockAll is set: add ${name}.mock(async (ctx, input) => …) to \`activities\`, after the real one, or leave mockAll out`,
    );
  };
}

/**
 * The steps of the orchestrations under test: their calls are recorded, and an activity of the environment with the name
 * of a step replaces it. A mistake of their code fails the instance, unless the orchestration asks for the block.
 */
import type { AnyActivity } from "../../define/definition-types.ts";
import type { StepHandler } from "../../define/durable-call-options.ts";
import type { AnyOrchestration } from "../../define/orchestration-context.ts";
import type { Program } from "../../replay/code/program.ts";
import type { ActivityRecorder } from "./activity-recorder.ts";

interface Replacing {
  readonly recorder: ActivityRecorder;
  /** If several have one name, the last is used. */
  readonly activities: readonly AnyActivity[];
  /** The handler of a step without an activity of its name; undefined for its own. */
  readonly refusal: ((name: string) => StepHandler) | undefined;
}

export function withSteps(
  orchestrations: readonly AnyOrchestration[],
  { recorder, activities, refusal }: Replacing,
): AnyOrchestration[] {
  const byName = new Map(activities.map((definition) => [definition.name, definition]));
  const handlerOfStep: Program["handlerOfStep"] = (name, own) => {
    const mock = byName.get(name);
    const handler: StepHandler =
      mock === undefined ? (refusal?.(name) ?? own) : (context) => mock.handler(context, undefined);
    return (context) => recorder.run(context, undefined, () => handler(context));
  };
  // A mistake must fail the test; a block would wait for a deployment that never comes.
  return orchestrations.map((definition) => {
    const onDefect = definition.onDefect ?? "fail";
    return { ...definition, onDefect, handlerOfStep };
  });
}

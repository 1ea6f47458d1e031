/** Scenarios of one program: its environment, and its instance, "i" where nothing else is said, by one call. */
import type {
  AnyOrchestration,
  CustomStatusOf,
  InstanceHandle,
  ResultOf,
  StartOptions,
} from "@duroxide-ts/core";
import type { Environment, EnvironmentOptions } from "./environment.ts";
import type { Start } from "./scenario.ts";

/** Options of the environment and of the start. The program is the only orchestration where none are given. */
type Options = EnvironmentOptions & StartOptions<unknown> & { readonly input?: unknown };

interface Started<O extends AnyOrchestration> {
  readonly env: Environment;
  readonly handle: InstanceHandle<ResultOf<O>, CustomStatusOf<O>>;
}

/** Starts the program. */
export async function started<O extends AnyOrchestration>(
  start: Start,
  program: O,
  { activities = [], orchestrations = [program], options = {}, file = false, ...given }: Options = {},
): Promise<Started<O>> {
  const env = await start({ activities, orchestrations, options, file });
  const handle: InstanceHandle<unknown> = await env.client.start<AnyOrchestration>(program, {
    instanceId: "i",
    ...given,
  });
  return { env, handle: handle as Started<O>["handle"] };
}

/** Starts the program, and lets everything run that needs no time. */
export async function begun<O extends AnyOrchestration>(
  start: Start,
  program: O,
  options?: Options,
): Promise<Started<O>> {
  const { env, handle } = await started(start, program, options);
  await env.settle();
  return { env, handle };
}

/** Returns the output of the program; time moves as far as that takes. */
export async function outputOf<O extends AnyOrchestration>(
  start: Start,
  program: O,
  options?: Options,
): Promise<ResultOf<O>> {
  const { env, handle } = await started(start, program, options);
  return env.finish(handle);
}

/** Returns the error with which the program fails; an error if it does not fail. */
export async function failureOf(start: Start, program: AnyOrchestration, options?: Options): Promise<Error> {
  const { env, handle } = await started(start, program, options);
  return env.failure(handle);
}

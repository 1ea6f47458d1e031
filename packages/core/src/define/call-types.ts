/** What calls of definitions take and what comes of them. One signature each, so that a mistake has one message. */
import type {
  ActivityDefinition,
  AnyActivity,
  AnyOrchestration,
  OrchestrationDefinition,
} from "./definitions.ts";

/** The input of a call: optional where the definition takes none. */
export type CallArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

/** What a call of a definition takes; anything for one that is only named. */
export type CallArgumentsOf<Callee extends AnyActivity | AnyOrchestration | string, Options> = CallArguments<
  InputOf<Callee>,
  Options
>;

/** The input of a definition; anything for one that is only named. */
export type InputOf<Callee extends AnyActivity | AnyOrchestration | string> =
  Callee extends ActivityDefinition<infer Input, infer _Output, infer _Parsed, infer _Result>
    ? Input
    : Callee extends OrchestrationDefinition<infer Input, infer _Output, infer _Parsed, infer _Result>
      ? Input
      : unknown;

/** What a call of a definition comes to; unknown for one that is only named. */
export type ResultOf<Callee extends AnyActivity | AnyOrchestration | string> =
  Callee extends ActivityDefinition<infer _Input, infer _Output, infer _Parsed, infer Result>
    ? Result
    : Callee extends OrchestrationDefinition<infer _Input, infer _Output, infer _Parsed, infer Result>
      ? Result
      : unknown;

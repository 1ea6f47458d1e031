/** How the rules are made: each looks at the orchestration code of a file once, when it is read. */
import { OrchestrationCode } from "../code/orchestration-code.ts";
import type { Report, Rule, RuleContext, SourceCode } from "../syntax/eslint.ts";

export interface RuleOptions<Message extends string> {
  readonly description: string;
  readonly messages: Readonly<Record<Message, string>>;
  readonly fixable?: true;
  readonly check: (code: OrchestrationCode, file: RuleFile<Message>) => void;
}

/** The file, and where its mistakes are reported. */
export interface RuleFile<Message extends string> {
  readonly sourceCode: SourceCode;
  report(report: Report & { readonly messageId: Message }): void;
}

export function defineRule<Message extends string>(options: RuleOptions<Message>): Rule {
  const { description, messages, fixable, check } = options;
  return {
    meta: {
      type: "problem",
      docs: { description },
      messages,
      ...(fixable && { fixable: "code" as const }),
      hasSuggestions: true,
      schema: [],
    },
    create: (context: RuleContext) => ({
      "Program:exit": () => check(OrchestrationCode.of(context.sourceCode), context),
    }),
  };
}

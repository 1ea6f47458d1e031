/** Events and messages as the wait for them takes them (docs/decisions/messages.md). */
import { type Named, validated } from "../../define/named.ts";
import { describeIssues, judgeStored } from "../../define/standard-schema.ts";
import { thrownText } from "../../errors/thrown-value.ts";
import type { CallAnswers, Fit } from "../calls/durable-call.ts";
import type { RunningCode } from "../code/recorder.ts";

/** The answers of a wait for an event, or of a read of a queue. */
export function arrivalAnswers({ surroundings: { codec } }: RunningCode, channel: Named): CallAnswers {
  return {
    decode: (text) => validated(channel, codec.decode(text)),
    fit(text, isReplay): Fit {
      let value: unknown;
      try {
        value = codec.decode(text);
      } catch (error) {
        if (isReplay) throw error;
        return { value: undefined, misfit: `the codec cannot read it: ${thrownText(error)}` };
      }
      if (typeof channel === "string" || channel.schema === undefined) return { value };
      const judged = judgeStored(channel.schema, value, `"${channel.name}"`);
      if (judged.issues === undefined) return { value: judged.value };
      return { value, misfit: describeIssues(judged.issues) };
    },
  };
}

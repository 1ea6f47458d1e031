/** Options of a reading of a stream. */
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { methodsFault, wholeNumberFault } from "../../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import type { StreamReadOptions } from "./read-stream.ts";

const OPTIONS: OptionList = optionList<StreamReadOptions>({
  from: true,
  all: true,
  wait: true,
  signal: true,
});

/** InvalidInputError for invalid options of a reading. */
export function checkStreamOptions(options: StreamReadOptions): void {
  checkOptions("stream", options, OPTIONS);
  const fault =
    wholeNumberFault("stream: from", options.from, 0) ??
    methodsFault("stream: signal", options.signal, ["addEventListener"]);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

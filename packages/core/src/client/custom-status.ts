/** The options of `handle.customStatus`. */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { wholeNumberFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { checkWait, type WaitOptions } from "./wait.ts";

/** The options of `customStatus`. */
export interface CustomStatusOptions extends WaitOptions {
  /** 0 by default: begin with the current status. */
  readonly afterVersion?: number;
}

const OPTIONS: OptionList = optionList<CustomStatusOptions>({
  afterVersion: true,
  timeout: true,
  signal: true,
});

/** Throws InvalidInputError for options that do not exist, and for values that are none. */
export function checkedCustomStatus(options: CustomStatusOptions): {
  readonly afterVersion: number;
  readonly wait: WaitOptions;
} {
  checkOptions("customStatus", options, OPTIONS);
  const { afterVersion = 0, ...wait } = options;
  checkWait("customStatus", wait);
  const fault = wholeNumberFault("customStatus: afterVersion", afterVersion, 0);
  if (fault !== undefined) throw new InvalidInputError(fault);
  return { afterVersion, wait };
}

/** The names of operators as functions of SQLite. */
import type { BinaryOperator } from "../syntax/tree.ts";

/** The registered functions of the binary operators that have one. */
export const OPERATOR_NAMES: Readonly<Record<Exclude<BinaryOperator, "??">, string>> = {
  "=": "cosmos_equal",
  "!=": "cosmos_not_equal",
  "<": "cosmos_less",
  "<=": "cosmos_less_or_equal",
  ">": "cosmos_greater",
  ">=": "cosmos_greater_or_equal",
  "+": "cosmos_plus",
  "-": "cosmos_minus",
  "*": "cosmos_times",
  "/": "cosmos_divided_by",
  "%": "cosmos_modulo",
  "&": "cosmos_bit_and",
  "|": "cosmos_bit_or",
  "^": "cosmos_bit_xor",
  "<<": "cosmos_shift_left",
  ">>": "cosmos_shift_right",
  ">>>": "cosmos_shift_right_unsigned",
  "||": "cosmos_join",
};

export const UNARY_NAMES = { "-": "cosmos_negated", "+": "cosmos_positive", "~": "cosmos_bit_not" } as const;

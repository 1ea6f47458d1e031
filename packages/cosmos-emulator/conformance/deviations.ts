/** Checks that our endpoint is known to fail, and why it stays so. A test fails when one of them passes. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  "triggers and functions: a query calls a user-defined function": "functions are stored, not executed",
  "triggers and functions: a trigger runs for the write that names it":
    "triggers are stored, and a request that names one is refused",
};

/** The forms of output. */
export type OutputForm = "table" | "json" | "jsonl" | "ids";

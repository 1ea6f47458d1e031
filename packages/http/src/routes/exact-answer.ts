/** Answers whose numbers may be above 2^53, such as ids of events that Rust has written. */
import { json } from "@duroxide-ts/core/web";

/** A function of the language since 2025; the library of TypeScript does not have it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** JSON in which an integer is as it is stored. */
export function exactAnswer(body: unknown): Response {
  const text = JSON.stringify(body, (_key, value: unknown) =>
    typeof value === "bigint" ? rawJSON(value.toString()) : value,
  );
  return new Response(text, { headers: json(null).headers });
}

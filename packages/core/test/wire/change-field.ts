/** Makes the document that a row of an acceptance file describes, keeping every other byte's meaning. */

type JsonObject = Record<string, unknown>;

/** Numbers stay as they are written, whatever their size. */
const parse = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source: string }) => unknown,
) => JsonObject;
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

const REPLACEMENTS: Readonly<Record<string, unknown>> = {
  null: null,
  number_for_string: 5,
  string_number: "5",
  "float_integral_5.0": rawJson("5.0"),
  negative: -1,
  unknown_field_added: { nested: [1, "x"] },
};

export function changeField(raw: string, field: string, change: string): string {
  const document = parse(raw, (_key, value, { source }) =>
    typeof value === "number" ? rawJson(source) : value,
  );
  const steps = field.split(".");
  const last = steps.pop() ?? "";
  let target = document;
  for (const step of steps) target = target[step] as JsonObject;
  if (change === "missing") delete target[last];
  else target[last] = REPLACEMENTS[change];
  return JSON.stringify(document);
}

/** Tests a codec before its use, because a codec that loses values would otherwise be detected only in stored data. */
import { types } from "node:util";
import { ConfigurationError } from "../errors/duroxide-error.ts";
import { thrownText } from "../errors/thrown-value.ts";
import type { PayloadCodec } from "./payload-codec.ts";
import { PayloadError } from "./payload-error.ts";
import { sameValue } from "./same-value.ts";

/** A codec may support only strings, and a string that is valid JSON may decode to the value of that JSON. */
const PROBES: readonly unknown[] = [
  'a text: ü, 🌍, "quotes"\n',
  { list: [1, -2.5, true, null, "text"], inner: { empty: {} } },
  42,
];

/**
 * Throws a ConfigurationError that names the difference. The codec may reject probes with a PayloadError, but it must
 * encode and decode at least one of them. `undefined`, the result of every function without one, is no probe that
 * counts: it may also come back as null.
 */
export function probeCodec(codec: PayloadCodec): void {
  const problem = problemOf(codec);
  if (problem === undefined) return;
  const name = typeof codec?.name === "string" ? `codec "${codec.name}"` : "the codec";
  throw new ConfigurationError(`${name} cannot be used: ${problem}`);
}

function problemOf(codec: PayloadCodec): string | undefined {
  if (typeof codec?.encode !== "function" || typeof codec.decode !== "function") {
    return "it needs a name and the methods encode and decode";
  }
  const name: unknown = codec.name;
  if (typeof name !== "string" || name === "") {
    return `its name is ${describe(name)}; give it a text, for messages and logs`;
  }
  let refusal: PayloadError | undefined;
  let kept = 0;
  for (const probe of PROBES) {
    const outcome = tryProbe(codec, probe);
    if (typeof outcome === "string") return outcome;
    if (outcome === undefined) kept += 1;
    else refusal ??= outcome;
  }
  if (kept === 0) return `it refuses texts, numbers and objects: ${refusal?.message}`;
  const nothing = tryProbe(codec, undefined);
  return typeof nothing === "string" ? nothing : undefined;
}

/** `undefined` if the codec decodes what it encoded. */
function tryProbe(codec: PayloadCodec, probe: unknown): string | PayloadError | undefined {
  const given = JSON.stringify(probe) ?? "undefined";
  let text: unknown;
  try {
    text = codec.encode(probe);
  } catch (error) {
    return PayloadError.is(error) ? error : `encode of ${given} throws ${thrownText(error)}`;
  }
  if (typeof text !== "string") {
    const sync = types.isPromise(text) ? "; a codec is synchronous" : "";
    return `encode of ${given} returns ${describe(text)} where it must return a text${sync}`;
  }
  try {
    const back = codec.decode(text);
    // What has no value is null in most codecs.
    const isKept = sameValue(back, probe) || (probe === undefined && back === null);
    return isKept ? undefined : `${given} comes back from it as ${describe(back)}`;
  } catch (error) {
    return `decode of what it encoded for ${given} throws ${thrownText(error)}`;
  }
}

const LONGEST = 200;

function describe(value: unknown): string {
  if (types.isPromise(value)) return "a promise";
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, LONGEST);
  } catch {
    return `a value of type ${typeof value}`;
  }
}

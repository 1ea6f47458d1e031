/**
 * The runtime's own activities (docs/reference/wire-format.md §3.3). A value that differs from run to run, such as an id,
 * the time or an entry of another instance, becomes an activity, so that history has it. Every runtime of every language
 * serves them, so their names, inputs and results are a part of the wire format.
 */
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { GET_KV_VALUE, NEW_GUID, UTC_NOW_MS } from "../../replay/calls/system-calls.ts";
import type { RuntimeSettings } from "../options/options.ts";

type SystemCall = (settings: RuntimeSettings, input: string) => Promise<string> | string;

const CALLS: Readonly<Record<string, SystemCall>> = {
  [NEW_GUID]: ({ random }) => random.uuid(),
  [UTC_NOW_MS]: ({ clock }) => String(clock.now()),
  [GET_KV_VALUE]: async ({ provider }, input) => {
    const { instance_id, key } = parseKvRequest(input);
    return JSON.stringify((await provider.getKvValues(instance_id, key)).get(key) ?? null);
  },
};

export const SYSTEM_CALLS: readonly string[] = Object.keys(CALLS);

export function isSystemCall(activityName: string): boolean {
  return Object.hasOwn(CALLS, activityName);
}

/** Input and result are raw text, which the payload codec does not encode. */
export async function runSystemCall(
  settings: RuntimeSettings,
  activityName: string,
  input: string,
): Promise<string> {
  const call = CALLS[activityName];
  if (call === undefined) throw new InvalidInputError(`unknown system call "${activityName}"`);
  return call(settings, input);
}

function parseKvRequest(input: string): { readonly instance_id: string; readonly key: string } {
  const request: unknown = JSON.parse(input);
  if (typeof request === "object" && request !== null && "instance_id" in request && "key" in request) {
    const { instance_id, key } = request;
    if (typeof instance_id === "string" && typeof key === "string") return { instance_id, key };
  }
  throw new InvalidInputError(`${GET_KV_VALUE}: expected {"instance_id": …, "key": …}`);
}

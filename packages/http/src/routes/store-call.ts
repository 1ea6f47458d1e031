/**
 * `POST /admin/:call`, `/limits/:call` and `/schedules/:call`: the calls of a client about the store as a whole, with the
 * arguments as a JSON array.
 *
 * - store-call.SC1: Nothing of the store as a whole is read or changed without the option `admin`.
 * - store-call.SC2: A read sees what may be seen, with parts replaced. What a change returns has no payloads.
 * - store-call.SC3: A change is recorded under the user that `authorize` has named, whatever the caller says.
 */
import { type AnyOrchestration, type InstanceHandle, ProviderError } from "@duroxide-ts/core";
import { codeOf, jsonPayload, Refused, readBytes } from "@duroxide-ts/core/web";
import { parsed } from "../request/payload.ts";
import { STORE_CALLS, type StorePart } from "../wire/store-calls.ts";
import type { Call } from "./call.ts";
import { exactAnswer } from "./exact-answer.ts";

export async function storeCall(call: Call): Promise<Response> {
  checkServesStore(call);
  const { settings, segments, user } = call;
  const [part = "", name = ""] = segments;
  const kind = STORE_CALLS[part as StorePart][name];
  const args = await argumentsOf(call);
  const isRead = kind === "read";
  if (typeof kind === "number") args[kind] = { ...recordIn(args[kind]), by: user.user };
  if (part === "schedules" && name === "apply") args[0] = withCode(args[0], settings.orchestrations);
  const target = (isRead ? settings.visible : settings.client)[part as StorePart];
  const method = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown;
  return exactAnswer({ value: await resultOf(method.apply(target, args)) });
}

/** ProviderError (`unsupported`) where the server serves single instances only (store-call.SC1). */
export function checkServesStore({ settings }: Call): void {
  if (settings.admin) return;
  throw new ProviderError({
    code: "unsupported",
    operation: "http",
    message: "this server does not serve the store as a whole; give it the option admin: true",
  });
}

/** JSON has no `undefined`: an argument that is absent is `null`. */
async function argumentsOf({ request, settings }: Call): Promise<unknown[]> {
  const bytes = await readBytes(request, settings.maxBodyBytes);
  const body = bytes.byteLength === 0 ? [] : parsed(bytes, (json) => jsonPayload(json, "the body", false));
  if (!Array.isArray(body)) {
    throw new Refused(400, "invalid-input", 'the body is the list of the arguments, such as ["order-42"]');
  }
  return body.map((each: unknown) => each ?? undefined);
}

function recordIn(options: unknown): object {
  if (options === undefined) return {};
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return options;
  throw new Refused(400, "invalid-input", "the options of the call must be an object");
}

/** Schedules name their orchestrations; the code that is known here checks their inputs. */
function withCode(schedules: unknown, orchestrations: readonly AnyOrchestration[]): unknown {
  if (!Array.isArray(schedules)) return schedules;
  return schedules.map((each: unknown) => {
    const { orchestration } = recordIn(each) as { readonly orchestration?: unknown };
    if (typeof orchestration !== "string") return each;
    return {
      ...recordIn(each),
      orchestration: codeOf(orchestrations, orchestration, undefined) ?? orchestration,
    };
  });
}

/** The most entries of a list that is read bit by bit elsewhere. */
const MOST_LISTED = 10_000;

/** The result; of a list that comes bit by bit its entries, and of a run that was started its id. */
async function resultOf(returned: unknown): Promise<unknown> {
  if (isList(returned)) {
    const listed: unknown[] = [];
    for await (const each of returned) if (listed.push(each) >= MOST_LISTED) break;
    return listed;
  }
  const value = await returned;
  return isHandle(value) ? { instanceId: value.instanceId } : value;
}

function isList(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function isHandle(value: unknown): value is InstanceHandle<unknown> {
  return (
    typeof value === "object" && value !== null && "result" in value && typeof value.result === "function"
  );
}

/** `client.admin`, `client.limits` and `client.schedules` over HTTP: the calls with a route, and what is made of them. */
import {
  type AnyAdmin,
  type AnyHandle,
  type AnySchedules,
  type Blocked,
  type Client,
  calleeName,
  eachInstance,
  encodePayload,
  exactJson,
  instanceIds,
  type PayloadCodec,
  parseJson,
} from "@duroxide-ts/core/browser";
import { STORE_CALLS, type StoreAnswer, type StorePart } from "../wire/store-calls.ts";
import { send, type Transport } from "./transport.ts";

/** Sends a call, and resolves with what it returned on the server. */
type Ask = (part: StorePart, call: string, args: readonly unknown[]) => Promise<unknown>;

export function askOver(transport: Transport): Ask {
  return async (part, call, args) => {
    const { value } = await send(transport, {
      operation: `client.${part}.${call}`,
      method: "POST",
      path: [part, call],
      body: JSON.stringify(args, withoutDates),
      parse: parseJson,
    });
    return (value as StoreAnswer).value;
  };
}

/** A date as ms since the epoch: JSON would make a text of it. */
function withoutDates(this: unknown, key: string, value: unknown): unknown {
  const given: unknown = Reflect.get(this as object, key);
  return given instanceof Date ? given.getTime() : value;
}

/** The calls of a part by name, each of which asks the server. */
function callsOf(ask: Ask, part: StorePart): object {
  const names = Object.keys(STORE_CALLS[part]);
  return Object.fromEntries(
    names.map((name) => [name, (...args: readonly unknown[]) => ask(part, name, args)]),
  );
}

export function adminOver(ask: Ask, codec: PayloadCodec): AnyAdmin {
  const calls = callsOf(ask, "admin") as AnyAdmin;
  const listing = { queryInstances: calls.query };
  return {
    ...calls,
    async *instances({ status, pageSize } = {}) {
      yield* instanceIds(listing, status === undefined ? {} : { status: [status] }, pageSize);
    },
    async *blocked(options) {
      yield* (await ask("admin", "blocked", [options])) as readonly Blocked[];
    },
    redeliver: async (id, options) =>
      calls.redeliver(id, {
        ...options,
        ...("message" in options && { message: sent(codec, options.message) }),
      }),
    forEach: (filter, verb, options = {}) =>
      eachInstance({ admin: listing, observed: (given = () => {}) => given }, filter, verb, options),
  };
}

export function limitsOver(ask: Ask): Client["limits"] {
  return callsOf(ask, "limits") as Client["limits"];
}

export function schedulesOver(
  ask: Ask,
  codec: PayloadCodec,
  handle: (instanceId: string) => AnyHandle<unknown>,
): AnySchedules {
  const calls = callsOf(ask, "schedules") as AnySchedules;
  return {
    ...calls,
    apply: async (schedules, options) =>
      calls.apply(
        schedules.map((each) => ({
          ...each,
          ...("input" in each && { input: sent(codec, each.input) }),
          orchestration: calleeName("schedules.apply", "orchestration", each.orchestration),
        })),
        options,
      ),
    trigger: async (name, options = {}) => {
      const run = await calls.trigger(name, {
        ...options,
        ...("input" in options && { input: sent(codec, options.input) }),
      });
      return handle(run.instanceId);
    },
  };
}

/** A payload as the server reads it; an error of the codec where it is none. */
function sent(codec: PayloadCodec, value: unknown): unknown {
  if (value === undefined) return undefined;
  return exactJson(encodePayload(codec, value, "orchestration-input", ""));
}

/** `client.admin`, `client.limits` and `client.schedules` over HTTP: the calls with a route, and what is made of them. */
import {
  type AnyAdmin,
  type AnyHandle,
  type AnySchedules,
  type Blocked,
  type Client,
  calleeName,
  eachInstance,
  InvalidInputError,
  instanceIds,
  lossOf,
  type PayloadCodec,
  parseJson,
  refusedPayload,
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
        ...("message" in (options ?? {}) && {
          message: sent(codec, options.message, "admin.redeliver: message"),
        }),
      }),
    forEach: (filter, verb, options = {}) =>
      eachInstance({ admin: listing, observed }, filter, verb, options),
  };
}

/** A callback whose failure, also a later one, stops nothing. No logger is here to tell it. */
function observed<T>(given: (progress: T) => unknown = () => {}): (progress: T) => void {
  return (progress) => void (async () => given(progress))().catch(() => {});
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
        schedules.map((each) => {
          const { input } = each;
          const orchestration = calleeName("schedules.apply", "orchestration", each.orchestration);
          const what = `input of orchestration "${orchestration}"`;
          return { ...each, ...(input !== undefined && { input: sent(codec, input, what) }), orchestration };
        }),
        options,
      ),
    trigger: async (name, options = {}) => {
      const run = await calls.trigger(name, {
        ...options,
        ...("input" in options && { input: sent(codec, options.input, "schedules.trigger: input") }),
      });
      return handle(run.instanceId);
    },
  };
}

/** A payload as the server reads it: a value. InvalidInputError under the name `what` for one that a value does not hold. */
function sent(codec: PayloadCodec, payload: unknown, what: string): unknown {
  try {
    const text = codec.encode(payload);
    const loss = lossOf(text);
    if (loss !== undefined) throw new InvalidInputError(`${loss}; write a long number as a text`);
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw refusedPayload(what, error);
  }
}

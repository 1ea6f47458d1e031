/** Values that handlers throw and that are hard to write down. */

class Hostile extends Error {
  override get message(): string {
    throw new Error("this message cannot be read");
  }
}

function withMessage(message: unknown): Error {
  return Object.defineProperty(new Error("odd"), "message", { value: message });
}

function cyclic(): object {
  const value: Record<string, unknown> = { name: "cyclic" };
  value["self"] = value;
  return value;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const refusing = (): never => {
  throw new Error("nothing can be read here");
};

export const ODDITIES: readonly (() => unknown)[] = [
  () => withMessage(["an", "array"]),
  () => withMessage(null),
  () => withMessage(Symbol("a symbol")),
  () => withMessage(cyclic()),
  () => new Hostile(),
  () => Object.defineProperty(new Error("odd"), "name", { get: refusing }),
  () => Object.defineProperty(new Error("odd"), "stack", { get: refusing }),
  () => Object.assign(new Error("odd"), { cause: cyclic() }),
  () => new Proxy({}, { get: refusing, has: refusing, ownKeys: refusing, getPrototypeOf: refusing }),
  () => new Proxy(new Error("odd"), { get: refusing }),
  revoked,
  cyclic,
  () => ({ toJSON: refusing, toString: refusing }),
  () => Object.create(null),
  () => Symbol("thrown"),
  () => undefined,
  () => null,
  () => 10n,
  () => () => "a function",
  () => "lone \ud800 surrogate",
  () => new AggregateError([new Hostile(), undefined]),
];

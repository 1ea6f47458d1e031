/** An object with some methods replaced. A proxy, so that optional methods stay absent or present as they are. */
type Method = (...args: unknown[]) => unknown;

/** Methods run on the object itself, because it may have private fields. */
export function overriding<Base extends object, T extends Base>(object: T, overrides: Partial<Base>): T {
  const bound = new Map<PropertyKey, unknown>();
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (value === undefined) return undefined;
      if (Object.hasOwn(overrides, key)) return Reflect.get(overrides, key);
      if (typeof value !== "function") return value;
      const known = bound.get(key);
      if (known !== undefined) return known;
      const method = (value as Method).bind(target);
      bound.set(key, method);
      return method;
    },
  });
}

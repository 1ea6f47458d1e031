/** Whether a value can be a provider: for JavaScript programs, and for a promise of a provider that was not awaited. */
import { types } from "node:util";
import { methodsFault } from "../options/option-kinds.ts";
import type { Provider } from "./provider.ts";

/** The fault; `undefined` if there is none. Checks one method; the validation kit checks the others. */
export function providerFault(
  where: string,
  provider: unknown,
  method: keyof Provider & string,
): string | undefined {
  const example = "give a provider, such as await SqliteProvider.open(path)";
  if (types.isPromise(provider)) return `${where}: the provider is a promise; await it first`;
  if (provider === undefined) return `${where}: there is no provider; ${example}`;
  const isClosed =
    typeof provider === "object" && provider !== null && "isClosed" in provider && provider.isClosed;
  if (isClosed === true) return `${where}: the provider was closed; open another one`;
  return methodsFault(`${where}: the provider`, provider, [method]);
}

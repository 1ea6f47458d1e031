/** Whether a value can be a provider: for programs without a compiler, and for a provider that is not opened yet. */
import { methodsFault } from "../options/option-kinds.ts";
import type { Provider } from "./provider.ts";

/** What is wrong; `undefined` where nothing is. One method tells; the rest is for the validation kit. */
export function providerFault(
  where: string,
  provider: unknown,
  method: keyof Provider & string,
): string | undefined {
  const example = "give a provider, such as await SqliteProvider.open(path)";
  if (provider instanceof Promise) return `${where}: the provider is a promise; await it first`;
  if (provider === undefined) return `${where}: there is no provider; ${example}`;
  return methodsFault(`${where}: the provider`, provider, [method]);
}

/**
 * Gets Microsoft Entra tokens: loads `@azure/identity` when needed, and rejects with the reason if there is no token.
 */

import type { TokenCredential } from "@azure/core-auth";
import { isError } from "@duroxide-ts/core/stores";

/** The credential gave no token. Its message names the reason, never a token. */
export class NoToken extends Error {
  override readonly name = "NoToken";
}

export function tokenSource(given: TokenCredential | undefined): TokenCredential {
  let loading: Promise<TokenCredential> | undefined;
  const load = (): Promise<TokenCredential> => {
    loading ??= given === undefined ? defaultCredential() : Promise.resolve(given);
    return loading;
  };
  return {
    async getToken(scopes, options) {
      try {
        return await (await load()).getToken(scopes, options);
      } catch (cause) {
        throw new NoToken(isError(cause) ? cause.message : String(cause), { cause });
      }
    },
  };
}

/** Loaded on demand, because loading takes a second, which programs with a key need not wait. */
async function defaultCredential(): Promise<TokenCredential> {
  const { DefaultAzureCredential } = await import("@azure/identity");
  return new DefaultAzureCredential();
}

/** Microsoft Entra tokens: loads `@azure/identity` when it is needed, and says so when there is no token to be had. */
import type { TokenCredential } from "@azure/core-auth";

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
        throw new NoToken(cause instanceof Error ? cause.message : String(cause), { cause });
      }
    },
  };
}

/** Takes a second to load, which programs with a key need not wait for. */
async function defaultCredential(): Promise<TokenCredential> {
  const { DefaultAzureCredential } = await import("@azure/identity");
  return new DefaultAzureCredential();
}

/**
 * Gets Microsoft Entra tokens: loads `@azure/identity` when needed, and rejects with the reason if there is no token.
 */
import type { TokenCredential } from "@azure/core-auth";
import { isError } from "@duroxide-ts/core/stores";

/** Refusals of Microsoft Entra ID. Without one of them the source of tokens, such as a managed identity, is not ready. */
const REFUSED = /\b(invalid_client|unauthorized_client|invalid_grant|interaction_required)\b/;

/** The credential gave no token. Its message names the reason, never a token. */
export class NoToken extends Error {
  override readonly name = "NoToken";
  /** Whether a later attempt will fail, too. */
  readonly isLasting: boolean;

  constructor(cause: unknown) {
    const message = isError(cause) ? cause.message : String(cause);
    super(message, { cause });
    this.isLasting = REFUSED.test(message);
  }
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
        throw new NoToken(cause);
      }
    },
  };
}

/** Loaded on demand, because loading takes a second, which programs with a key need not wait. */
async function defaultCredential(): Promise<TokenCredential> {
  const { DefaultAzureCredential } = await import("@azure/identity");
  return new DefaultAzureCredential();
}

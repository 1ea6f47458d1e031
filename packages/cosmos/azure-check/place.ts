/** The place of the check: an account, or an endpoint of our own that is started for the rehearsal. */
import type { AccessToken, TokenCredential } from "@azure/core-auth";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import type { TokenSource } from "@duroxide-ts/cosmos-emulator/conformance";
import { isLoopback, toAccount } from "../src/connection/access.ts";
import { tokenSource } from "../src/connection/token-source.ts";

export interface Place extends AsyncDisposable {
  readonly kind: "rehearsal" | "azure" | "other";
  readonly endpoint: URL;
  /** Key, which may create databases. Absent if there is only an identity. */
  readonly key: string | undefined;
  /** Microsoft Entra ID, where the check was asked for it. */
  readonly credential: TokenCredential | undefined;
  /** Endpoint of the rehearsal. */
  readonly emulator: CosmosEmulator | undefined;
}

/** How the account is reached, as the command line names it. Secrets come from the environment only. */
export type AccountSource =
  | { readonly kind: "rehearsal"; readonly withIdentity: boolean; readonly physicalPartitions: number }
  | { readonly kind: "connection-string"; readonly connectionString: string; readonly withIdentity: boolean }
  | {
      readonly kind: "endpoint";
      readonly endpoint: string;
      readonly key: string | undefined;
      readonly withIdentity: boolean;
    };

/** Throws a ProviderError that repeats no value where what was given makes no sense. */
export async function openPlace(source: AccountSource): Promise<Place> {
  if (source.kind === "rehearsal") return rehearsal(source.withIdentity, source.physicalPartitions);
  const given =
    source.kind === "connection-string"
      ? { connectionString: source.connectionString }
      : { endpoint: source.endpoint, ...(source.key !== undefined && { key: source.key }) };
  const { endpoint, access } = toAccount(given);
  return {
    kind: isHosted(endpoint) ? "azure" : "other",
    endpoint,
    key: access.kind === "key" ? access.key : undefined,
    // Without a credential of ours @azure/identity finds one.
    credential: source.withIdentity ? tokenSource(undefined) : undefined,
    emulator: undefined,
    async [Symbol.asyncDispose]() {},
  };
}

function isHosted({ hostname }: URL): boolean {
  return /\.documents\.azure\.(com|us|cn)$/.test(hostname);
}

/** Tokens are sent over https only. */
async function rehearsal(withIdentity: boolean, physicalPartitions: number): Promise<Place> {
  const emulator = await CosmosEmulator.start({
    port: 0,
    physicalPartitions,
    ...(withIdentity && { https: true, aad: true }),
  });
  return {
    kind: "rehearsal",
    endpoint: new URL(emulator.endpoint),
    key: emulator.key,
    credential: withIdentity ? rehearsalIdentity : undefined,
    emulator,
    [Symbol.asyncDispose]: () => emulator.stop(),
  };
}

/** Has the form of a token; the endpoint does not check who signed it. */
const rehearsalIdentity: TokenCredential = {
  async getToken(): Promise<AccessToken> {
    const expiresOnTimestamp = Date.now() + 3_600_000;
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { exp: Math.floor(expiresOnTimestamp / 1_000), aud: "https://cosmos.azure.com" };
    return { token: `${part({ alg: "RS256" })}.${part(claims)}.c2lnbmF0dXJl`, expiresOnTimestamp };
  },
};

/**
 * Gets tokens for requests without the SDK. The scope is the account's own, as the SDK asks for it
 * (docs/reference/cosmos-protocol.md §1.3).
 */
export function bearerTokens(
  { endpoint }: Pick<Place, "endpoint">,
  credential: TokenCredential,
): TokenSource {
  const scope = `${endpoint.protocol}//${endpoint.hostname}/.default`;
  let current: AccessToken | undefined;
  return async () => {
    if (current === undefined || current.expiresOnTimestamp < Date.now() + REFRESH_BEFORE_MS) {
      current = (await credential.getToken(scope)) ?? undefined;
    }
    if (current === undefined) throw new Error("the credential gave no token");
    return current.token;
  };
}

const REFRESH_BEFORE_MS = 300_000;

/** Certificates of this machine's endpoints are their own; all others must be verified, or the token would be given away. */
export function verifiesCertificates({ endpoint }: Pick<Place, "endpoint">): boolean {
  return !isLoopback(endpoint.hostname);
}

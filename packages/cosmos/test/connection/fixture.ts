/** A local endpoint and settings that lead to it. */
import type { AccessToken, TokenCredential } from "@azure/core-auth";
import type { PipelineResponse } from "@azure/core-rest-pipeline";
import type { VirtualClock } from "@duroxide-ts/core/testing";
import { CosmosEmulator, type CosmosEmulatorOptions } from "@duroxide-ts/cosmos-emulator";
import type { Intercept } from "../../src/connection/http-client.ts";
import { type CosmosProviderOptions, type Settings, toSettings } from "../../src/connection/options.ts";

export function startEndpoint(options: CosmosEmulatorOptions = {}): Promise<CosmosEmulator> {
  return CosmosEmulator.start({ port: 0, ...options });
}

export function settingsFor(emulator: CosmosEmulator, options: CosmosProviderOptions = {}): Settings {
  return toSettings({ connectionString: emulator.connectionString, ...options });
}

/** Signed in with Entra ID; its tokens are sent over https only. */
export function entraSettingsFor(
  emulator: CosmosEmulator,
  credential: TokenCredential,
  options: CosmosProviderOptions = {},
): Settings {
  return toSettings({
    endpoint: emulator.endpoint,
    credential,
    acceptSelfSignedCertificate: true,
    ...options,
  });
}

/** A token with the form of one, in force for an hour; the endpoint does not ask who signed it. */
export const someIdentity: TokenCredential = {
  async getToken(): Promise<AccessToken> {
    const expiresOnTimestamp = Date.now() + 3_600_000;
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { exp: Math.floor(expiresOnTimestamp / 1_000), aud: "https://cosmos.azure.com" };
    return { token: `${part({ alg: "RS256" })}.${part(claims)}.c2lnbmF0dXJl`, expiresOnTimestamp };
  },
};

/** Changes the JSON of the answers to requests whose path ends so. */
export function rewriting(pathEnd: string, change: (body: Record<string, unknown>) => object): Intercept {
  return async (request, next) => {
    const response: PipelineResponse = await next(request);
    if (!new URL(request.url).pathname.endsWith(pathEnd)) return response;
    const body = JSON.parse(response.bodyAsText ?? "{}") as Record<string, unknown>;
    return { ...response, bodyAsText: JSON.stringify(change(body)) };
  };
}

/** Moves the clock from one wait to the next until the work is done; requests take as long as they take. */
export async function letTimePass<Result>(clock: VirtualClock, work: Promise<Result>): Promise<Result> {
  let isDone = false;
  const mark = (): void => {
    isDone = true;
  };
  work.then(mark, mark);
  while (!isDone) {
    await clock.settle();
    const { nextDueMs } = clock;
    if (nextDueMs !== undefined) await clock.advance(nextDueMs - clock.now());
  }
  return work;
}

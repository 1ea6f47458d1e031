/** The same calls over HTTP and by a client of the store. */
import { type Client, silentLogger } from "@duroxide-ts/core";
import { eachWith } from "../../../../test/support/each-with.ts";
import { type AnyClient, HttpClient, type HttpOptions, toNodeHandler } from "../../src/index.ts";
import { listening } from "./listening.ts";
import { openShop, type Shop } from "./shop.ts";

export interface OverHttp extends AsyncDisposable {
  readonly shop: Shop;
  readonly over: HttpClient;
  readonly direct: Client;
}

/** Opens a shop that serves its whole store. */
export async function openOverHttp(
  options: Partial<HttpOptions> & { readonly works?: boolean } = {},
): Promise<OverHttp> {
  const shop = await openShop({ basePath: "/api", admin: true, ...options });
  const server = await listening(toNodeHandler(shop.handler, silentLogger));
  return {
    shop,
    over: new HttpClient(`${server.address}/api/`),
    direct: shop.client,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

/** A test with such a shop of its own. */
export const overHttp = eachWith(() => openOverHttp());

/** The value of a call, or the class, name, code and message of its error: over HTTP, and by the client of the store. */
export async function bothWays<T>(
  { over, direct }: OverHttp,
  call: (client: AnyClient) => Promise<T>,
): Promise<readonly [over: unknown, direct: unknown]> {
  const outcome = (client: AnyClient): Promise<unknown> =>
    call(client).then(
      (value) => ({ value }),
      (error: Error & { code?: string }) => ({
        kind: error.constructor,
        name: error.name,
        code: error.code,
        message: error.message,
      }),
    );
  return [await outcome(over), await outcome(direct)];
}

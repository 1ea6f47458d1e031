/** Tests which containers cannot be opened, and what the error says to do. */

import type { TokenCredential } from "@azure/core-auth";
import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import { ProviderError } from "@duroxide-ts/core";
import type { CosmosEmulator, FaultEffect } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { makeClient } from "../../src/connection/client.ts";
import { containerDefinition, indexingPolicy } from "../../src/connection/container-definition.ts";
import type { Intercept } from "../../src/connection/http-client.ts";
import { openContainer } from "../../src/connection/open-container.ts";
import { type CosmosProviderOptions, type Settings, toSettings } from "../../src/connection/options.ts";
import { entraSettingsFor, rewriting, settingsFor, someIdentity, startEndpoint } from "./fixture.ts";

/** Why it cannot be opened. */
async function refusal(settings: Settings, intercept?: Intercept): Promise<string> {
  try {
    await using opened = await openContainer(settings, intercept);
    return `opened ${opened.container.id}`;
  } catch (error) {
    if (!ProviderError.is(error)) throw error;
    expect(error).toMatchObject({ code: "cannot-open", operation: "connect", retryable: false });
    return error.detail;
  }
}

async function create(emulator: CosmosEmulator, definition: object): Promise<void> {
  using handle = makeClient(settingsFor(emulator));
  const { database } = await handle.client.databases.createIfNotExists({ id: "duroxide" });
  await database.containers.create({ ...containerDefinition("duroxide"), ...definition });
}

const answer = (
  request: PipelineRequest,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): PipelineResponse => ({
  request,
  status,
  headers: createHttpHeaders(headers),
  bodyAsText: JSON.stringify(body),
});

describe("a missing container that may not be created", () => {
  it("is reported with the commands that create it", async () => {
    await using emulator = await startEndpoint();
    const options: CosmosProviderOptions = {
      createIfMissing: false,
      database: "shop",
      container: "it's mine",
      throughput: { autoscaleMaxRu: 4_000 },
    };
    const reason = await refusal(settingsFor(emulator, options));
    const account = "--account-name <account> --resource-group <resource-group>";
    expect(reason).toContain("createIfMissing is false");
    expect(reason.split("\n").slice(1)).toEqual([
      `az cosmosdb sql database create ${account} --name shop`,
      `az cosmosdb sql container create ${account} --database-name shop --name 'it'\\''s mine' --partition-key-path /instanceId --partition-key-version 2 --ttl -1 --max-throughput 4000 --idx '${JSON.stringify(indexingPolicy())}'`,
    ]);
    expect([...emulator.requestLog.since().byOperation.keys()]).toEqual(["account.read", "container.read"]);
  });

  it("is reported with Entra ID, whose roles cannot create it", async () => {
    await using emulator = await startEndpoint({ https: true, aad: true });
    const reason = await refusal(entraSettingsFor(emulator, someIdentity));
    expect(reason).toContain("Microsoft Entra roles for data cannot create them");
    expect(reason).toContain("az cosmosdb sql container create");
  });

  it("is reported with the account's name where the endpoint tells it", async () => {
    const settings = toSettings({
      endpoint: "https://my-shop.documents.azure.com:443/",
      key: "AAAA",
      createIfMissing: false,
    });
    const service: Intercept = async (request) => {
      const isAccount = new URL(request.url).pathname === "/";
      const headers = { "x-ms-substatus": "1003" };
      const locations = [{ name: "West Europe", databaseAccountEndpoint: settings.endpoint.href }];
      const account = { id: "my-shop", writableLocations: locations, readableLocations: locations };
      return isAccount ? answer(request, 200, account) : answer(request, 404, { message: "no" }, headers);
    };
    expect(await refusal(settings, service)).toContain("--account-name my-shop ");
  });
});

describe("access that is refused", () => {
  const WRONG_KEY = Buffer.from("not the key of this account").toString("base64");

  it("because of a wrong key is reported as that, and the key is not repeated", async () => {
    await using emulator = await startEndpoint();
    const settings = toSettings({ endpoint: emulator.endpoint, key: WRONG_KEY });
    const reason = await refusal(settings);
    expect(reason).toContain("refused the key. Copy it again");
    expect(reason).not.toContain(WRONG_KEY);
  });

  const status = (code: number, message = "no"): FaultEffect => ({ kind: "error", status: code, message });

  it.each([
    [
      "an account without keys",
      status(401, "Local Authorization is disabled. Use an AAD token"),
      /Leave the key out/,
    ],
    ["a firewall", status(403), /firewall/],
  ])("by %s is reported as that", async (_, effect, advice) => {
    await using emulator = await startEndpoint();
    emulator.faults.add({ match: {}, effect });
    expect(await refusal(settingsFor(emulator))).toMatch(advice);
  });

  it("to a read-only key that should create is reported as that", async () => {
    await using emulator = await startEndpoint();
    emulator.faults.add({ match: { operation: "write" }, effect: status(403) });
    expect(await refusal(settingsFor(emulator))).toMatch(/give a read-write key/);
  });

  it.each([401, 403])(
    "to an identity without a role (%i) comes with the command that gives it one",
    async (code) => {
      await using emulator = await startEndpoint({ https: true, aad: true });
      emulator.faults.add({ match: {}, effect: status(code) });
      expect(await refusal(entraSettingsFor(emulator, someIdentity))).toMatch(
        /\naz cosmosdb sql role assignment create .*--role-definition-id 00000000-0000-0000-0000-000000000002 --principal-id/,
      );
    },
  );

  it.each([
    "invalid_client: 7000215 - AADSTS7000215: Invalid client secret provided",
    "unauthorized_client Status code: 400\nMore details:\nAADSTS700016: Application was not found,",
  ])("by Microsoft Entra ID (%s) is reported at once with its reason", async (message) => {
    await using emulator = await startEndpoint({ https: true, aad: true });
    let asked = 0;
    const refused: TokenCredential = {
      async getToken() {
        asked += 1;
        throw new Error(message);
      },
    };
    const reason = await refusal(entraSettingsFor(emulator, refused));
    expect(reason).toMatch(/no Microsoft Entra token \((invalid|unauthorized)_client/);
    expect([asked, emulator.requestLog.since().total.requests]).toEqual([1, 0]);
  });

  it("because the clock is far off is reported as that", async () => {
    await using emulator = await startEndpoint();
    emulator.faults.clockSkewMs = 20 * 60_000;
    expect(await refusal(settingsFor(emulator))).toMatch(
      /clock is 1\d\d\d seconds behind the service's.*Set the clock/,
    );
  });
});

describe("an account that is not fit for leases is refused:", () => {
  it("one with several write regions", async () => {
    await using emulator = await startEndpoint();
    const several = rewriting("/", (account) => ({ ...account, enableMultipleWriteLocations: true }));
    expect(await refusal(settingsFor(emulator), several)).toMatch(/two processes could hold the same lease/);
  });

  it.each(["Eventual", "ConsistentPrefix"])(
    "one whose consistency is %s",
    async (defaultConsistencyLevel) => {
      await using emulator = await startEndpoint();
      const weak = rewriting("/", (account) => ({
        ...account,
        userConsistencyPolicy: { defaultConsistencyLevel },
      }));
      expect(await refusal(settingsFor(emulator), weak)).toMatch(/Set the account's default to Session/);
    },
  );

  it.each(["Strong", "BoundedStaleness"])(
    "but not one whose consistency is %s",
    async (defaultConsistencyLevel) => {
      await using emulator = await startEndpoint();
      const strong = rewriting("/", (account) => ({
        ...account,
        userConsistencyPolicy: { defaultConsistencyLevel },
      }));
      expect(await refusal(settingsFor(emulator), strong)).toBe("opened duroxide");
    },
  );
});

describe("a container that cannot hold our documents is refused:", () => {
  it.each([
    ["another partition key", { paths: ["/pk"] }],
    ["a partition key of several levels", { paths: ["/instanceId", "/id"], kind: "MultiHash", version: 2 }],
  ])("one with %s", async (_, partitionKey) => {
    await using emulator = await startEndpoint();
    await create(emulator, { partitionKey });
    expect(await refusal(settingsFor(emulator))).toMatch(/must be \/instanceId, .* Name another container/);
  });

  it("one that deletes its documents after a while", async () => {
    await using emulator = await startEndpoint();
    await create(emulator, { defaultTtl: 3_600 });
    expect(await refusal(settingsFor(emulator))).toMatch(
      /after 3600 seconds.*\naz cosmosdb .* update .* --ttl -1$/s,
    );
  });

  it("one whose throughput a serverless account does not take", async () => {
    await using emulator = await startEndpoint();
    const message = "Setting offer throughput is not supported for serverless accounts.";
    emulator.faults.add({
      match: { operation: "container.create" },
      effect: { kind: "error", status: 400, message },
    });
    expect(await refusal(settingsFor(emulator, { throughput: 400 }))).toMatch(/Leave throughput out/);
  });
});

describe("an endpoint that is not what it should be is refused:", () => {
  it("one that does not exist", async () => {
    const settings = toSettings({ endpoint: "https://nobody.documents.azure.com", key: "AAAA" });
    const unknownHost: Intercept = async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    };
    expect(await refusal(settings, unknownHost)).toMatch(
      /no host nobody.documents.azure.com. Check the endpoint/,
    );
  });

  it("one whose certificate no known authority has signed", async () => {
    await using emulator = await startEndpoint({ https: true });
    expect(await refusal(settingsFor(emulator))).toMatch(
      /certificate is not trusted .*acceptSelfSignedCertificate/,
    );
    expect(emulator.requestLog.since().total.requests).toBe(0);
  });

  it("one on this machine that leads to another", async () => {
    await using emulator = await startEndpoint();
    const elsewhere = [{ name: "Local", databaseAccountEndpoint: "http://172.17.0.2:8081/" }];
    const leading = rewriting("/", (account) => ({
      ...account,
      writableLocations: elsewhere,
      readableLocations: elsewhere,
    }));
    expect(await refusal(settingsFor(emulator), leading)).toMatch(/reached at 172.17.0.2; start it so/);
  });
});

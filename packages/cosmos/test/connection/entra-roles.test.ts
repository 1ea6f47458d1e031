/** Roles of Microsoft Entra for data: the documented one suffices, each of its actions is needed, and what is missing is named. */
import { readFileSync } from "node:fs";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator, type EntraRole } from "@duroxide-ts/cosmos-emulator";
import {
  ack,
  activity,
  completion,
  createInstance,
  mustFetch,
  mustFetchWork,
  queueMessage,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { someIdentity } from "./fixture.ts";

/** The role of docs/cosmos/set-up.md. */
const DOCUMENTED: readonly string[] = (() => {
  const page = readFileSync(new URL("../../../../docs/cosmos/set-up.md", import.meta.url), "utf8");
  const role = [...page.matchAll(/```json\n([\s\S]*?)```/g)].find(([, text]) =>
    text?.includes("DataActions"),
  );
  return JSON.parse(role?.[1] ?? "").Permissions[0].DataActions;
})();

/** A container that exists, at an endpoint whose Entra identities have this role. */
async function endpointWith(role: EntraRole): Promise<CosmosEmulator> {
  const emulator = await CosmosEmulator.start({ port: 0, https: true, aad: role });
  const { connectionString } = emulator;
  const owner = await CosmosProvider.connect({ connectionString, acceptSelfSignedCertificate: true });
  await owner.close();
  return emulator;
}

/** Makes every kind of request of a provider: messages, turns with rows for others, activities, administration. */
async function work(provider: CosmosProvider): Promise<void> {
  const caller = { provider, lockMs: 30_000 };
  await createInstance(caller, "i", {
    workerItems: [activity("i", 2)],
    orchestratorItems: [queueMessage("i", "box"), startItem("child")],
  });
  const { lockToken } = await mustFetchWork(caller);
  await provider.ackWorkItem(lockToken, completion("i", 2));
  for (let turns = 0; turns < 2; turns++) await ack(caller, await mustFetch(caller));
  await provider.renewSessionLocks({ ownerIds: ["unknown"], extendMs: 1_000, idleTimeoutMs: 1_000 });
  await provider.admin.getSystemMetrics();
  await provider.admin.deleteInstances({});
}

async function connectAndWork(role: EntraRole): Promise<void> {
  await using emulator = await endpointWith(role);
  await using provider = await CosmosProvider.connect({
    endpoint: emulator.endpoint,
    credential: someIdentity,
    acceptSelfSignedCertificate: true,
    onWarning: () => {},
  });
  await work(provider);
}

describe("the documented role", () => {
  it("suffices", async () => {
    await connectAndWork({ dataActions: DOCUMENTED });
  });

  it.each(DOCUMENTED)("needs %s", async (missing) => {
    const dataActions = DOCUMENTED.filter((action) => action !== missing);
    const [, , name = ""] = /^(.*\/)([^/*]+)(\/\*)?$/.exec(missing) ?? [];
    await expect(connectAndWork({ dataActions })).rejects.toMatchObject({
      message: expect.stringContaining(name),
    });
  });

  it.each(["/dbs/duroxide", "/dbs/duroxide/colls/duroxide"])(
    "at the scope %s is refused, and the error says which scope it needs",
    async (scope) => {
      await expect(connectAndWork({ dataActions: DOCUMENTED, scope })).rejects.toMatchObject({
        code: "cannot-open",
        message: expect.stringMatching(
          /readMetadata at the scope of the account\. Assign it at the scope \//,
        ),
      });
    },
  );
});

it("an account that lets no key change its containers says how they are created", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  emulator.faults.add({
    match: { operation: "database.create" },
    effect: {
      kind: "error",
      status: 403,
      message:
        "Operation 'POST' on resource 'dbs' is not allowed through Azure Cosmos DB endpoint. Please switch on such operations for your account, or perform this operation through Azure Resource Manager",
    },
  });
  await expect(CosmosProvider.connect({ connectionString })).rejects.toMatchObject({
    code: "cannot-open",
    message: expect.stringMatching(
      /disableKeyBasedMetadataWriteAccess\). Create it with\naz cosmosdb sql database create/,
    ),
  });
});

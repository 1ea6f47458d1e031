/**
 * Opens a container of Azure Cosmos DB. The key comes from the environment; without one, Microsoft Entra ID is used. The
 * provider is an optional package, because most of its size is Azure's.
 */
import { type Logger, type Provider, ProviderError } from "@duroxide-ts/core/client";
import type { StoreAccess, StoreName } from "./store-name.ts";

export async function openCosmos(
  { endpoint, database, container }: Extract<StoreName, { kind: "cosmos" }>,
  environment: Readonly<Record<string, string | undefined>>,
  access: StoreAccess,
  logger: Logger,
): Promise<Provider> {
  const { CosmosProvider } = await loadProvider();
  const key = environment["COSMOSDB_KEY"]?.trim() || undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(endpoint).hostname);
  return CosmosProvider.connect({
    endpoint,
    database,
    container,
    ...(key !== undefined && { key }),
    createIfMissing: access === "create" && key !== undefined,
    ...(isLocal && { acceptSelfSignedCertificate: true }),
    onWarning: (message, fields) => logger.warn(fields, message),
    onAdvice: (message) => logger.info({ about: "advice" }, message),
  });
}

async function loadProvider(): Promise<typeof import("@duroxide-ts/cosmos")> {
  try {
    return await import("@duroxide-ts/cosmos");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ProviderError({
      code: "cannot-open",
      operation: "open",
      message: "the package @duroxide-ts/cosmos is not installed; run npm install @duroxide-ts/cosmos",
      cause: error,
    });
  }
}

/**
 * Checks, by one refused batch, what every commit and many reads depend on:
 *
 * - self-test.ST1: A batch with a wrong ETag is refused, and no part of it is stored (docs/decisions/cosmos-turns.md).
 *   Emulators that ignore the ETag or store a part would damage histories unnoticed. Accounts of Azure are not checked
 *   for this.
 * - self-test.ST2: A refusal names the position that it met (docs/decisions/cosmos-replicas.md).
 */
import type { Container, JSONObject } from "@azure/cosmos";
import { failureOf, isTransient } from "../service/failure.ts";
import { failedOperationOf, OperationRefused } from "../service/refused-operation.ts";
import { cannotOpen } from "./open-error.ts";
import type { Settings } from "./options.ts";

const AZURE = /\.documents\.azure\.(com|us|cn)$/i;

/** The id of the document and its partition; a correct endpoint never stores it. */
const NAME = "__self-test__";

/** The service removes the document if it stores it nevertheless. */
const DOCUMENT: JSONObject = { id: NAME, instanceId: NAME, type: "self_test", ttl: 60 };

const CHANGED = 412;

/** Throws `cannot-open`. */
export async function selfTest(settings: Settings, container: Container): Promise<void> {
  const { result = [], headers } = await container.items.batch(
    [
      { operationType: "Create", resourceBody: DOCUMENT },
      { operationType: "Replace", id: NAME, resourceBody: DOCUMENT, ifMatch: '"wrong"' },
    ],
    NAME,
  );
  const failedOperation = failedOperationOf(result);
  const refused = failedOperation && new OperationRefused(failedOperation, headers);
  if (refused !== undefined && isTransient(failureOf(refused))) throw refused;
  const status = failedOperation?.status;
  if (status === CHANGED && headers?.["x-ms-session-token"] === undefined) {
    throw cannotOpen(
      settings,
      "the endpoint does not name its position (x-ms-session-token) when it refuses a batch, so that reads after refused writes may be out of date. Use an account without a proxy that removes headers, or the local endpoint of @duroxide-ts/cosmos-emulator",
    );
  }
  if (AZURE.test(settings.endpoint.hostname)) return;
  const isStored = (await container.item(NAME, NAME).read()).statusCode !== 404;
  if (isStored) await container.item(NAME, NAME).delete().catch(unlessGone);
  if (status === CHANGED && !isStored) return;
  const what =
    status === undefined
      ? "stores a batch whose ETag is wrong"
      : isStored
        ? "stores a part of a batch that it refuses"
        : `refuses a batch whose ETag is wrong with ${status} instead of ${CHANGED}`;
  throw cannotOpen(
    settings,
    `the endpoint ${what}, so that processes would overwrite each other's work unseen. Use an account, the local endpoint of @duroxide-ts/cosmos-emulator, or another emulator whose batches are atomic`,
  );
}

function unlessGone(error: unknown): void {
  if (failureOf(error).status !== 404) throw error;
}

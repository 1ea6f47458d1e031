/** Reads one document by its id, and says where replicas lag behind so far that a query is to read it. */
import type { Container, FeedOptions, SqlQuerySpec } from "@azure/cosmos";
import type { Stored } from "../documents/body.ts";
import type { Answer } from "./answer.ts";
import { failureOf, isLaggingReplica, MOST_LAGGING } from "./failure.ts";

/** A query is to read the document. */
export const LAGGING = "lagging";

/**
 * Sends one request with each call; `undefined` if there is no such document. After some refusals the client library has
 * given up its session token (HC1 in connection/http-client.ts), and the answer is `LAGGING`: a read by id whose document
 * does not exist has an answer that does not name its container. If the container was created again, such an answer
 * looks older than all earlier ones (SP1 in connection/seen-positions.ts). The answer to a query always names the
 * container.
 */
export function documentReader(
  container: Container,
  id: string,
  options: FeedOptions & { readonly partitionKey: string },
): () => Promise<Answer<Stored | typeof LAGGING | undefined>> {
  let lagging = 0;
  return async () => {
    try {
      return await readById(container, id, options);
    } catch (error) {
      if (!isLaggingReplica(failureOf(error)) || ++lagging < MOST_LAGGING) throw error;
      return { value: LAGGING, status: NOT_FOUND, charge: 0 };
    }
  };
}

const NOT_FOUND = 404;

async function readById(
  container: Container,
  id: string,
  { partitionKey, abortSignal }: FeedOptions & { readonly partitionKey: string },
): Promise<Answer<Stored | undefined>> {
  const options = abortSignal === undefined ? {} : { abortSignal };
  const answer = await container.item(id, partitionKey).read<Record<string, unknown>>(options);
  if (answer.statusCode === 404 && answer.substatus !== undefined && answer.substatus > 0) {
    throw Object.assign(new Error("read"), { code: 404, substatus: answer.substatus });
  }
  const { resource, statusCode, requestCharge } = answer;
  return { value: resource as Stored | undefined, status: statusCode, charge: requestCharge };
}

export function queryOf(id: string): SqlQuerySpec {
  return { query: "SELECT * FROM c WHERE c.id = @id", parameters: [{ name: "@id", value: id }] };
}

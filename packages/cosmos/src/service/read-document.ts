/** Reads one document, by its id or, where replicas lag behind, by a query. */
import type { Container, FeedOptions } from "@azure/cosmos";
import type { Stored } from "../documents/body.ts";
import type { Answer } from "./answer.ts";
import { failureOf, isLaggingReplica, MOST_LAGGING } from "./failure.ts";

/**
 * Sends one request with each call; `undefined` if there is no such document. After some refusals the client library has
 * given up its session token (HC1 in connection/http-client.ts), and the document is read by a query. A read by id whose document does not exist
 * has an answer that does not name its container. If the container was created again, such an answer looks older than
 * all earlier ones (SP1 in connection/seen-positions.ts). The answer to a query always names the container.
 */
export function documentReader(
  container: Container,
  id: string,
  options: FeedOptions & { readonly partitionKey: string },
): () => Promise<Answer<Stored | undefined>> {
  let lagging = 0;
  return async () => {
    try {
      return lagging < MOST_LAGGING
        ? await readById(container, id, options)
        : await readByQuery(container, id, options);
    } catch (error) {
      if (isLaggingReplica(failureOf(error))) lagging++;
      throw error;
    }
  };
}

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

async function readByQuery(
  container: Container,
  id: string,
  options: FeedOptions,
): Promise<Answer<Stored | undefined>> {
  const spec = { query: "SELECT * FROM c WHERE c.id = @id", parameters: [{ name: "@id", value: id }] };
  const { resources, requestCharge } = await container.items.query<Stored>(spec, options).fetchNext();
  return { value: resources?.[0], status: 200, charge: requestCharge };
}

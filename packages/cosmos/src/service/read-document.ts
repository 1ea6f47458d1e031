/** Reads one document, by its id or, where replicas lag behind, by a query (Call.read). */
import type { Container, FeedOptions } from "@azure/cosmos";
import type { Stored } from "../documents/body.ts";
import type { Answer } from "./answer.ts";

/** Sends one request; `undefined` if there is no such document. */
export async function readById(
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

export const BY_ID = "SELECT * FROM c WHERE c.id = @id";

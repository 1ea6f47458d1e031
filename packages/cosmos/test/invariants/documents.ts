/** All documents of a container, as they are stored, read without any help of the provider. */
import { setTimeout } from "node:timers/promises";
import { createDefaultHttpClient, type HttpClient, type PipelineResponse } from "@azure/core-rest-pipeline";
import { type Container, CosmosClient } from "@azure/cosmos";
import type { SendRequest } from "../../../../test/support/stores/in-process.ts";

export type Document = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly instanceId: string;
  readonly type: string;
};

export interface RawContainer extends Disposable {
  readonly container: Container;
}

/** `send` carries requests to an endpoint of this process; without it they go through HTTP. */
export function rawContainer(
  connectionString: string,
  database: string,
  name: string,
  send?: SendRequest,
): RawContainer {
  const client = new CosmosClient({ connectionString, httpClient: patientClient(send) });
  const container = client.database(database).container(name);
  return { container, [Symbol.dispose]: () => client.dispose() };
}

const REPETITION_MS = 5;

/** Being split or merged, or moved. The library repeats neither. */
const CHANGING: readonly (string | undefined)[] = ["1007", "1008"];

function isForNow({ status, headers }: PipelineResponse): boolean {
  return status === 429 || (status === 410 && CHANGING.includes(headers.get("x-ms-substatus")));
}

/** Repeats what the service refuses for a while, without an end. */
function patientClient(send?: SendRequest): HttpClient {
  const client = send === undefined ? createDefaultHttpClient() : { sendRequest: send };
  return {
    async sendRequest(request) {
      for (;;) {
        const response = await client.sendRequest(request);
        if (!isForNow(response)) return response;
        await setTimeout(REPETITION_MS);
      }
    },
  };
}

/** A partition was split or merged between two pages. */
const CHANGED: readonly unknown[] = [400, 410];
const MOST_ATTEMPTS = 100;

export async function allDocuments(container: Container): Promise<readonly Document[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { resources } = await container.items.query<Document>("SELECT * FROM c").fetchAll();
      return resources;
    } catch (error) {
      const isChanged = error instanceof Error && "code" in error && CHANGED.includes(error.code);
      if (!isChanged || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** Requests that the clients send to the endpoint. */
import { RawConnection } from "./raw-connection.ts";
import { type Account, type RequestParts, requestBytes } from "./signed-request.ts";

export type WorkloadName = "point-reads" | "batches";

const DATABASE = "dbs/bench";
const CONTAINER = `${DATABASE}/colls/items`;
const READ_ITEMS = 1000;
const PAYLOAD = "x".repeat(200);

/** One client's requests, one after another; the status of a success is 200 for each. */
export interface Client {
  next(): Buffer;
}

/** Creates the database, the container and what the clients read. */
export async function prepare(account: Account, clients: number): Promise<void> {
  const connection = await RawConnection.connect(account.endpoint);
  const create = async (parts: Omit<RequestParts, "method">): Promise<void> => {
    const status = await connection.send(requestBytes(account, { method: "POST", ...parts }));
    if (status !== 201) throw new Error(`creating ${parts.path} gave ${status}`);
  };
  await create({ path: "dbs", signedLink: "", resourceType: "dbs", body: '{"id":"bench"}' });
  const definition = JSON.stringify({
    id: "items",
    partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 },
  });
  await create({ path: `${DATABASE}/colls`, signedLink: DATABASE, resourceType: "colls", body: definition });
  for (let n = 0; n < READ_ITEMS; n++) await create(itemCreation(`read-${n}`, `r${n}`));
  for (let n = 0; n < clients; n++) await create(itemCreation(partitionOf(n), messageId(-1)));
  connection.close();
}

function itemCreation(pk: string, id: string): Omit<RequestParts, "method"> {
  const body = JSON.stringify({ id, pk, payload: PAYLOAD });
  return {
    path: `${CONTAINER}/docs`,
    signedLink: CONTAINER,
    resourceType: "docs",
    headers: keyHeader(pk),
    body,
  };
}

const keyHeader = (pk: string): Record<string, string> => ({
  "x-ms-documentdb-partitionkey": JSON.stringify([pk]),
});
const partitionOf = (client: number): string => `client-${client}`;
const messageId = (n: number): string => `message-${n}`;

/** Reads the items in turn, each client from another one on. All requests are prepared in advance. */
export function pointReads(account: Account, clients: number): readonly Client[] {
  const requests = Array.from({ length: READ_ITEMS }, (_, n) => {
    const link = `${CONTAINER}/docs/r${n}`;
    const headers = keyHeader(`read-${n}`);
    return requestBytes(account, {
      method: "GET",
      path: link,
      signedLink: link,
      resourceType: "docs",
      headers,
    });
  });
  return Array.from({ length: clients }, (_, client) => {
    let n = Math.floor((client * READ_ITEMS) / clients);
    return { next: () => requests[n++ % READ_ITEMS] ?? Buffer.alloc(0) };
  });
}

/**
 * Batches of five operations as a turn of an orchestration has them: two events created, the state written and read,
 * the message that caused it deleted and the next one created in its place. A partition for each client.
 */
export function batches(account: Account, clients: number): readonly Client[] {
  return Array.from({ length: clients }, (_, client) => {
    const pk = partitionOf(client);
    const headers = {
      ...keyHeader(pk),
      "x-ms-cosmos-is-batch-request": "True",
      "x-ms-cosmos-batch-atomic": "True",
    };
    let n = 0;
    const next = (): Buffer => {
      const body = JSON.stringify(turn(pk, n++));
      return requestBytes(account, {
        method: "POST",
        path: `${CONTAINER}/docs`,
        signedLink: CONTAINER,
        resourceType: "docs",
        headers,
        body,
      });
    };
    return { next };
  });
}

function turn(pk: string, n: number): readonly object[] {
  const create = (id: string): object => ({
    operationType: "Create",
    resourceBody: { id, pk, payload: PAYLOAD },
  });
  return [
    create(`event-${n}`),
    create(messageId(n)),
    { operationType: "Upsert", resourceBody: { id: "state", pk, turn: n, payload: PAYLOAD } },
    { operationType: "Read", id: "state" },
    { operationType: "Delete", id: messageId(n - 1) },
  ];
}

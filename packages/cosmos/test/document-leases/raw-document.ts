/** Documents as texts: what JavaScript's numbers would spoil on the way is written and read without them. */
import { createHmac } from "node:crypto";
import type { Container } from "@azure/cosmos";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

export async function putText(emulator: CosmosEmulator, container: Container, id: string, text: string) {
  const parent = `dbs/${container.database.id}/colls/${container.id}`;
  const response = await send(emulator, "POST", parent, `${parent}/docs`, id, text);
  if (response.status !== 201) throw new Error(await response.text());
}

export async function readText(emulator: CosmosEmulator, container: Container, id: string): Promise<string> {
  const link = `dbs/${container.database.id}/colls/${container.id}/docs/${id}`;
  return (await send(emulator, "GET", link, link, id)).text();
}

function send(
  { endpoint, key }: CosmosEmulator,
  method: string,
  signedLink: string,
  path: string,
  partitionKey: string,
  body?: string,
): Promise<Response> {
  const date = new Date().toUTCString();
  const payload = `${method.toLowerCase()}\ndocs\n${signedLink}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(payload).digest("base64");
  const headers = {
    "x-ms-date": date,
    "x-ms-version": "2020-07-15",
    "x-ms-documentdb-partitionkey": JSON.stringify([partitionKey]),
    "content-type": "application/json",
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
  };
  return fetch(`${endpoint}${path}`, { method, headers, ...(body !== undefined && { body }) });
}

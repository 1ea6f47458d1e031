/** One signed request (docs/reference/cosmos-protocol.md §1.3), because a provider creates containers and never removes them. */
import { createHmac } from "node:crypto";

export interface ContainerAddress {
  readonly endpoint: string;
  /** Key of the account, base64. Roles for data cannot remove containers. */
  readonly key: string;
  readonly database: string;
  readonly container: string;
}

export async function removeContainer(address: ContainerAddress): Promise<void> {
  const { endpoint, key, database, container } = address;
  const path = `dbs/${database}/colls/${container}`;
  const date = new Date().toUTCString();
  const signature = createHmac("sha256", Buffer.from(key, "base64"))
    .update(`delete\ncolls\n${path}\n${date.toLowerCase()}\n\n`)
    .digest("base64");
  const headers = {
    authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
    "x-ms-date": date,
    "x-ms-version": "2018-12-31",
  };
  const answer = await fetch(new URL(path, endpoint), { method: "DELETE", headers });
  if (!answer.ok) throw new Error(`container ${container} is still there: ${await answer.text()}`);
}

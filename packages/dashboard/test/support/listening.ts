/** Servers of tests, each on a free port of this machine until it is disposed. */
import { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

export interface Listening<S extends Server> extends AsyncDisposable {
  readonly server: S;
  readonly port: number;
  /** Address without a slash at its end. */
  readonly address: string;
}

export async function listening<S extends Server>(server: S): Promise<Listening<S>> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (server instanceof HttpServer) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

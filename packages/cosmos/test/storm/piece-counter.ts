/**
 * A proxy between the processes of a storm and the endpoint. It counts how often each piece of a staged commit is stored,
 * and passes everything on as it is.
 */
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import type { SentOperation } from "../support/refused-batch.ts";

export class PieceCounter implements AsyncDisposable {
  readonly connectionString: string;
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent = new Agent({ keepAlive: true });
  /** Number of times that each piece was stored, by its id. */
  readonly #stored = new Map<string, number>();

  static async before(
    emulator: Pick<CosmosEmulator, "endpoint" | "connectionString">,
  ): Promise<PieceCounter> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PieceCounter(server, emulator);
  }

  private constructor(
    server: Server,
    { endpoint, connectionString }: Pick<CosmosEmulator, "endpoint" | "connectionString">,
  ) {
    this.#server = server;
    this.#target = new URL(endpoint);
    const { port } = server.address() as AddressInfo;
    this.connectionString = connectionString.replace(endpoint, `http://127.0.0.1:${port}/`);
    server.on("request", (asked, answer) => void this.#pass(asked, answer));
  }

  /** Pieces. */
  get stored(): number {
    return this.#stored.size;
  }

  get violations(): readonly string[] {
    return [...this.#stored]
      .filter(([, times]) => times > 1)
      .map(([id, times]) => `${id} was stored ${times} times`);
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      const body = await buffer(asked);
      const { method, url, headers } = asked;
      const { hostname, port } = this.#target;
      const passed = request(
        { agent: this.#agent, hostname, port, method, path: url, headers },
        (response) => {
          if (response.statusCode === 200 && headers["x-ms-cosmos-is-batch-request"] !== undefined) {
            this.#count(body);
          }
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
        },
      );
      // A reset of the endpoint is a reset for the process.
      passed.on("error", () => asked.socket.destroy());
      passed.end(body);
    } catch {
      // The process died while it sent this.
      answer.destroy();
    }
  }

  #count(body: Buffer): void {
    for (const { operationType, resourceBody } of JSON.parse(body.toString()) as readonly SentOperation[]) {
      if (resourceBody?.type !== "staged" || operationType === "Delete") continue;
      const id = resourceBody.id ?? "";
      this.#stored.set(id, (this.#stored.get(id) ?? 0) + 1);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

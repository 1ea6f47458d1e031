/**
 * One keep-alive connection that sends prepared bytes and reads answers. It understands just as much of HTTP as the
 * endpoint uses, so that the clients cost little and the endpoint is what is measured.
 */
import net from "node:net";

const END_OF_HEADERS = "\r\n\r\n";

export class RawConnection {
  readonly #socket: net.Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve(status: number): void; reject(error: Error): void } | undefined;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error("the endpoint closed the connection")));
  }

  static connect(endpoint: string): Promise<RawConnection> {
    const { hostname, port } = new URL(endpoint);
    return new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), hostname, () => resolve(new RawConnection(socket)));
      socket.once("error", reject);
    });
  }

  /** Resolves with the status when the whole answer is here. One request at a time. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(END_OF_HEADERS);
    if (end < 0) return;
    const headers = this.#received.toString("latin1", 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    const total = end + END_OF_HEADERS.length + length;
    if (this.#received.length < total) return;
    this.#received = this.#received.subarray(total);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(Number(headers.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)));
  }
}

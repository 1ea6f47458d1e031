/** Writing of an outcome to a socket. */
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Outcome } from "./answer.ts";

export function writeOutcome(outgoing: ServerResponse, outcome: Outcome): void {
  if (outcome === "reset") {
    reset(outgoing.socket);
    return;
  }
  const { status, headers, body } = outcome;
  const hasBody = body !== undefined && status !== 204 && status !== 304;
  const length = hasBody ? Buffer.byteLength(body) : 0;
  outgoing.writeHead(
    status,
    status === 204 || status === 304 ? headers : { ...headers, "content-length": length },
  );
  outgoing.end(hasBody ? body : undefined);
}

/** Resets a connection. A TLS socket cannot send a reset, so there the connection just ends. */
function reset(socket: Socket | null): void {
  if (socket === null) return;
  if ("encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Answers by hand what Node's parser refuses, which never becomes a request. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const message = status === 431 ? "The headers are too large." : "The request is not valid HTTP.";
  const body = JSON.stringify({ code: "BadRequest", message });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`;
  socket.end(head + body);
}

/** Bytes over a socket, as no HTTP client would send them. */
import { once } from "node:events";
import { connect } from "node:net";

/** Sends the bytes as they are and reads until the other side has finished, or `until` matches. */
export async function exchange(endpoint: string, bytes: string, until: RegExp = /$^/): Promise<string> {
  const { hostname, port } = new URL(endpoint);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (until.test(text)) break;
  }
  socket.destroy();
  return text;
}

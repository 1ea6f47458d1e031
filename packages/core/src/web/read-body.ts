/** Reading the body of a request, up to a limit. */
import { Refused } from "./refusal.ts";

/** Refused (413) as soon as it is longer, and before anything is read where its length says so. */
export async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed) throw bodyWasRead();
  const told = Number(request.headers.get("content-length") ?? 0);
  if (told > mostBytes) throw tooLarge(mostBytes);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    const part: Uint8Array = chunk;
    bytes += part.byteLength;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    parts.push(part);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** The body as UTF-8. */
export async function readText(request: Request, mostBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(request, mostBytes));
}

/** Something in front has read the body. Without this, it would look like one that is empty, or damaged. */
export function bodyWasRead(): Refused {
  return new Refused(
    500,
    "body-was-read",
    "something has read the body before; put this handler before it, or let it keep the bytes as request.rawBody",
  );
}

function tooLarge(mostBytes: number): Refused {
  return new Refused(413, "too-large", `the body has more than ${mostBytes} bytes; send less`);
}

/** `ctx.stream` of orchestration code. A value that cannot be stored changes nothing. */
import { type CodeStream, type NamedStream, namedStream } from "../../define/stream.ts";
import { StreamError } from "../../errors/stream-error.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import type { RunningCode } from "../code/recorder.ts";
import { StreamWrites } from "../code/stream-writes.ts";

/** `enter` says whether a call records anything, and throws outside a turn. */
export function codeStream(
  code: RunningCode,
  named: NamedStream<never>,
  enter: (what: string) => boolean,
): CodeStream<unknown> {
  const { name, bounds } = namedStream("stream", named);
  const { codec } = code.surroundings;
  return {
    write(value) {
      const { instanceId } = code.identity;
      const text = encodePayload(codec, value, "stream-value", name);
      if (code.streams?.isClosed(name) === true) throw new StreamError("ended", { instanceId, stream: name });
      if (enter("stream.write")) writesOf(code).add(name, bounds, text, code.isReplaying);
    },
    close() {
      if (enter("stream.close")) writesOf(code).close(name, bounds, code.isReplaying);
    },
  };
}

/** Made by the first write, because most code has none. */
function writesOf(code: RunningCode): StreamWrites {
  code.streams ??= new StreamWrites();
  return code.streams;
}

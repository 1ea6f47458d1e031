/** A stream that is read until Ctrl-C: a command that waits for stdin ends like any other. */
import { addAbortSignal, type Readable } from "node:stream";
import { CommandError, EXIT } from "../errors/exit-code.ts";

export async function* interruptible(stream: Readable, interrupted: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* addAbortSignal(interrupted, stream);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    throw new CommandError(EXIT.interrupted, "Interrupted: stdin was not read to its end.");
  }
}

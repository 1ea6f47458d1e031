/** The effect of an output that takes no more: `duroxide list | head -1`, and a file on a disk that is full. */

let isChanging = false;

/**
 * A command that only reads ends with its reader, or as failed where its output cannot be written. One that changes the
 * store goes on, because what becomes of its words must not decide how much of it is done.
 */
export function outliveReaders(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isChanging) return;
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  // Progress and warnings that nobody reads.
  process.stderr.on("error", () => {});
}

/** Called before a command changes anything. */
export function goOnWithoutReader(): void {
  isChanging = true;
}

/** The effect of a reader of the output that ends first: `duroxide list | head -1`. */

let isChanging = false;

/**
 * A command that only reads ends with its reader. One that changes the store goes on, because whether anybody reads what
 * it says must not decide how much of it is done.
 */
export function outliveReaders(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!isChanging) process.exit(0);
  });
  // Progress and warnings that nobody reads.
  process.stderr.on("error", () => {});
}

/** Called before a command changes anything. */
export function goOnWithoutReader(): void {
  isChanging = true;
}

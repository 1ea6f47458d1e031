/**
 * Preloaded: the process stands still for ever when it has written as many lines as the environment variable
 * FREEZE_AFTER_LINES says, so that a test kills it before its end at any speed.
 */
const most = Number(process.env["FREEZE_AFTER_LINES"]);
const write = process.stdout.write.bind(process.stdout);
let lines = 0;
process.stdout.write = (text: string | Uint8Array): boolean => {
  const written = write(text);
  lines += String(text).split("\n").length - 1;
  if (lines >= most) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return written;
};

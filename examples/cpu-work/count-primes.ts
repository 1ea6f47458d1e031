/** The program of the thread: it computes without a pause, which would stop everything else on the main thread. */
import { parentPort, workerData } from "node:worker_threads";

interface Range {
  readonly from: number;
  readonly below: number;
}

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return n >= 2;
}

const { from, below } = workerData as Range;
let count = 0;
for (let n = from; n < below; n++) if (isPrime(n)) count++;
parentPort?.postMessage(count);

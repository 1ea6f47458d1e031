/** Runs the workloads in the program of one system and prints a line for each: speed, processor time, memory. */
import { readdirSync, readFileSync } from "node:fs";

const WORKLOADS = {
  W1: { orchestration: "hello", n: 2000, concurrency: 100, per: 1 },
  W2: { orchestration: "sequence", n: 300, concurrency: 100, per: 10 },
  W3: { orchestration: "fanOut", n: 100, concurrency: 100, per: 50 },
  W4: { orchestration: "long", n: 1, concurrency: 1, per: 1000 },
  W5: { orchestration: "hello", n: 100, concurrency: 1, per: 1 },
};

export const hello = (name) => `Hello, ${name}`;

/** `runOne(orchestration, id)` starts an instance and resolves with its result. `PEER_SERVER` is the process of its server. */
export async function drive({ system, runOne, importMs }) {
  await runOne("hello", `first-${process.pid}`);
  const { user, system: kernel } = process.cpuUsage();
  const server = Number(process.env.PEER_SERVER ?? 0);
  const startMs = performance.now();
  print({
    system,
    workload: "start",
    import_ms: importMs,
    start_ms: startMs,
    start_processor_ms: (user + kernel) / 1_000,
    memory_mb: memoryMb([process.pid]),
  });
  const multiple = Number(process.env.PEER_TIMES);
  for (const [workload, { orchestration, n: usual, concurrency, per }] of Object.entries(WORKLOADS)) {
    const n = usual * multiple;
    for (let warm = 0; warm < 20; warm++) await runOne("hello", `${workload}-${process.pid}-warm-${warm}`);
    const times = [];
    let next = 0;
    const before = processorMs(server);
    const own = process.cpuUsage();
    const begun = performance.now();
    const one = async () => {
      for (let index = next++; index < n; index = next++) {
        const at = performance.now();
        await runOne(orchestration, `${workload}-${process.pid}-${index}`);
        times.push(performance.now() - at);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, one));
    const seconds = (performance.now() - begun) / 1_000;
    const used = process.cpuUsage(own);
    const units = n * per;
    times.sort((a, b) => a - b);
    print({
      system,
      workload,
      per_second: units / seconds,
      p50_ms: times[Math.ceil(times.length / 2) - 1],
      p99_ms: times[Math.ceil(times.length * 0.99) - 1],
      processor_us: ((used.user + used.system) / 1_000 + processorMs(server) - before) * (1_000 / units),
      server_processor_us: (processorMs(server) - before) * (1_000 / units),
      memory_mb: memoryMb([process.pid]),
      server_memory_mb: memoryMb(treeOf(server)),
      memory_of_all_mb: memoryMb([process.pid, ...treeOf(server)]),
    });
  }
}

function print(line) {
  const rounded = Object.entries(line).map(([key, value]) => [
    key,
    typeof value === "number" ? Math.round(value * 100) / 100 : value,
  ]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
}

/** Ids of a process and of those below it. */
function treeOf(root) {
  if (root === 0) return [];
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(fieldsOf(name)?.[1] ?? 0)]);
  const found = new Set([root]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const [id, parent] of parents) if (found.has(parent)) found.add(id);
  }
  return [...found];
}

/** The fields of /proc/ID/stat from the third on, or undefined where the process has ended. */
function fieldsOf(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Time of a process, of those below it, and of those below it that have ended; ticks are 10 ms. */
function processorMs(root) {
  return treeOf(root).reduce((sum, id) => {
    const [user = 0, kernel = 0, endedUser = 0, endedKernel = 0] =
      fieldsOf(id)?.slice(11, 15).map(Number) ?? [];
    return sum + 10 * (user + kernel + endedUser + endedKernel);
  }, 0);
}

/** Memory of processes; what they share counts once. */
function memoryMb(ids) {
  return ids.reduce((sum, id) => {
    try {
      const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1];
      return sum + Number(kilobytes ?? 0) / 1_024;
    } catch {
      return sum;
    }
  }, 0);
}

/** The process of the clients: `measure-endpoint.ts` starts it, and gets one message with what they counted. */
import { RawConnection } from "./raw-connection.ts";
import { batches, type Client, pointReads, type WorkloadName } from "./workload.ts";

export interface ClientsTask {
  readonly workload: WorkloadName;
  readonly endpoint: string;
  readonly key: string;
  readonly clients: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface ClientsResult {
  /** Requests with the right status that ended within the measured time. */
  readonly right: number;
  readonly wrong: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

const OK = 200;

async function run(task: ClientsTask): Promise<ClientsResult> {
  const make = task.workload === "point-reads" ? pointReads : batches;
  const clients = make(task, task.clients);
  const connections = await Promise.all(clients.map(() => RawConnection.connect(task.endpoint)));
  const beginMs = performance.now() + task.warmUpMs;
  const endMs = beginMs + task.measureMs;
  const latenciesMs: number[] = [];
  let wrong = 0;
  const lane = async (client: Client, connection: RawConnection): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < endMs; sentMs = performance.now()) {
      const status = await connection.send(client.next());
      const doneMs = performance.now();
      if (status !== OK) wrong++;
      else if (sentMs >= beginMs && doneMs <= endMs) latenciesMs.push(doneMs - sentMs);
    }
  };
  await Promise.all(clients.map((client, index) => lane(client, connections[index] as RawConnection)));
  for (const connection of connections) connection.close();
  return { right: latenciesMs.length, wrong, seconds: task.measureMs / 1000, latenciesMs };
}

process.once("message", (task) => {
  void run(task as ClientsTask).then((result) => process.send?.(result, () => process.disconnect()));
});

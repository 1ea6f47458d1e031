/** Puts the layers of an endpoint together. It knows no sockets: requests come as data, answers go as data. */
import { Engine } from "./engine/index.ts";
import { MasterKey } from "./gateway/auth/master-key.ts";
import { Faults } from "./gateway/faults/faults.ts";
import { PartitionControl } from "./gateway/faults/partition-control.ts";
import { Throttle } from "./gateway/faults/throttle.ts";
import { Gateway } from "./gateway/gateway.ts";
import { RequestLog } from "./gateway/log/request-log.ts";
import type { ResolvedOptions } from "./options.ts";
import type { ScriptEngine } from "./scripts/index.ts";

/** Sources of time that never goes back, of ids and of random numbers. */
export interface EndpointSource {
  /** Returns milliseconds since any fixed moment. */
  monotonicMs(): number;
  /** Returns an id that no earlier call has returned. */
  newId(): string;
  /** Returns a number from 0 to below 1, as `Math.random`. */
  random(): number;
}

export interface AssembledEndpoint {
  readonly engine: Engine;
  readonly gateway: Gateway;
  readonly faults: Faults;
  readonly partitions: PartitionControl;
  readonly requestLog: RequestLog;
  /** Closes the file and the interpreter of stored procedures. */
  readonly close: () => Promise<void>;
}

export function assembleEndpoint(
  options: ResolvedOptions,
  { monotonicMs, newId, random }: EndpointSource,
  certificate: string | undefined,
): AssembledEndpoint {
  const throttle = new Throttle({
    enforceThroughput: options.enforceThroughput,
    provisioned: (database, container) => engine.provisionedThroughput(database, container),
    monotonicMs,
  });
  const partitions = new PartitionControl({ engine: () => engine, wait: options.wait });
  const faults = new Faults({ seed: options.seed, throttle });
  const requestLog = new RequestLog(options.requestLogSize);
  const now = (): number => options.now() + faults.clockSkewMs;
  const engine = Engine.open({
    path: options.path,
    now,
    random,
    physicalPartitions: options.physicalPartitions,
    lenient: options.lenient,
  });
  const scripts = new LazyScripts();
  const gateway = new Gateway({
    endpoint: {
      engine,
      lenient: options.lenient,
      treatBatchesAsAtomic: options.treatBatchesAsAtomic,
      scripts: () => scripts.load(),
      newId,
      monotonicMs,
    },
    authentication: { key: new MasterKey(options.key), role: options.aad, now },
    faults,
    throttle,
    partitions,
    log: requestLog,
    tools: { faults, partitions, log: requestLog, key: options.key, certificate, explorer: options.explorer },
    now,
    wait: options.wait,
    onFailure: options.onFailure,
  });
  const close = async (): Promise<void> => {
    await scripts.close();
    engine.close();
  };
  return { engine, gateway, faults, partitions, requestLog, close };
}

/** The interpreter takes longer to load than all the rest; most endpoints never run a stored procedure. */
class LazyScripts {
  #loading: Promise<ScriptEngine> | undefined;

  load(): Promise<ScriptEngine> {
    this.#loading ??= import("./scripts/index.ts").then(({ loadScripts }) => loadScripts());
    return this.#loading;
  }

  async close(): Promise<void> {
    const scripts = await this.#loading?.catch(() => undefined);
    await scripts?.close();
  }
}

/** Silence costs nothing and changes nothing; gauges ask only when they are asked. */
import { expect, test } from "vitest";
import type { OrchestrationAck, Provider } from "../../src/contract/provider.ts";
import { silentLogger } from "../../src/define/logger.ts";
import type { GaugeCallback, Meter } from "../../src/observe/meter.ts";
import { Observer, type ObserverOptions } from "../../src/observe/observer.ts";
import { TraceStamps } from "../../src/runtime/turns/stamp-trace.ts";
import { TurnCounts, withTurn } from "../../src/runtime/turns/turn-count.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";

const EXECUTION = {
  instanceId: "i",
  executionId: 1,
  name: "n",
  version: "1.0.0",
  start: undefined,
  started: undefined,
  eventsBefore: 0,
};

const ACK: OrchestrationAck = {
  lockToken: "t",
  executionId: 1,
  historyDelta: [eventOf(1)],
  workerItems: [],
  orchestratorItems: [],
  metadata: {},
  cancelledActivities: [],
};

function eventOf(id: number): HistoryEvent {
  return {
    event_id: id,
    source_event_id: null,
    instance_id: "i",
    execution_id: 1,
    timestamp_ms: 0,
    duroxide_version: "0.1.32",
    type: "ExternalSubscribed",
    name: "e",
  };
}

/** Counts how often it was asked. */
class CountedStore {
  readonly name = "counted";
  readonly version = "0.0.0";
  asked = 0;
  fails = false;
  readonly admin = {
    getQueueDepths: async () => {
      this.asked++;
      if (this.fails) throw new Error("out of reach");
      return { orchestratorQueue: 1, workerQueue: 2, runningInstances: 3 };
    },
  };
}

/** A meter whose gauges a test collects by hand. */
class CollectedMeter implements Meter {
  readonly callbacks = new Set<GaugeCallback>();
  createCounter(): { add(): void } {
    return { add: () => {} };
  }
  createHistogram(): { record(): void } {
    return { record: () => {} };
  }
  createObservableGauge(name: string): { readonly name: string } {
    return { name };
  }
  addBatchObservableCallback(callback: GaugeCallback): void {
    this.callbacks.add(callback);
  }
  removeBatchObservableCallback(callback: GaugeCallback): void {
    this.callbacks.delete(callback);
  }

  async collect(): Promise<Readonly<Record<string, number>>> {
    const values: Record<string, number> = {};
    const observe = (gauge: object, value: number): void => {
      values[(gauge as { readonly name: string }).name] = value;
    };
    for (const callback of this.callbacks) await callback({ observe });
    return values;
  }
}

function options(store: CountedStore, meter: Meter | undefined, clock = new VirtualClock()): ObserverOptions {
  const provider = store as unknown as Provider;
  return { provider, clock, logger: silentLogger, meter, tracer: undefined };
}

test("without meter and tracer the provider and every commit are left as they are", async () => {
  const store = new CountedStore();
  const observer = await Observer.create(options(store, undefined));
  expect(observer.provider).toBe(store);
  const stamps = new TraceStamps(observer, new VirtualClock());
  expect(stamps.of(EXECUTION, {}, []).stampTrace(ACK)).toBe(ACK);
});

test("gauges query the store once in the poll interval, whatever the number of collections", async () => {
  const store = new CountedStore();
  const meter = new CollectedMeter();
  const clock = new VirtualClock();
  const observer = await Observer.create(options(store, meter, clock));
  expect(store.asked).toBe(0);
  const expected = {
    duroxide_active_orchestrations: 3,
    duroxide_orchestrator_queue_depth: 1,
    duroxide_worker_queue_depth: 2,
  };
  expect(await Promise.all([meter.collect(), meter.collect()])).toEqual([expected, expected]);
  await clock.advance(59_999);
  expect(await meter.collect()).toEqual(expected);
  expect(store.asked).toBe(1);
  await clock.advance(1);
  await meter.collect();
  expect(store.asked).toBe(2);

  observer[Symbol.dispose]();
  expect(meter.callbacks.size).toBe(0);
});

test("gauges say nothing when the store cannot be asked", async () => {
  const store = new CountedStore();
  store.fails = true;
  const meter = new CollectedMeter();
  await Observer.create(options(store, meter));
  expect(await meter.collect()).toEqual({});
});

test("turns are counted on from memory, else from the last mark in history", () => {
  const counts = new TurnCounts();
  const memory = {};
  const history = [...withTurn([eventOf(1), eventOf(2)], 1), ...withTurn([eventOf(3), eventOf(4)], 2)];
  expect(counts.before(memory, history)).toBe(2);
  expect(counts.before(memory, [eventOf(1)])).toBe(0);
  counts.set(memory, 7);
  expect(counts.before(memory, history)).toBe(7);
  expect(withTurn([], 1)).toEqual([]);
});

/** One seed: a world, a store, processes, programs and faults, and what is wrong in the end. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { DoubleRuns } from "../checks/double-runs.ts";
import { endViolations, hasEnded } from "../checks/end.ts";
import { overfull } from "../checks/held-starts.ts";
import { HistoryWatch } from "../checks/history-watch.ts";
import { LimitWatch } from "../checks/limit-watch.ts";
import { LinearReads, type Scope } from "../checks/linear-reads.ts";
import { Overtaking } from "../checks/overtaking.ts";
import type { Backfilled } from "../checks/schedule-rules.ts";
import { ScheduleWatch } from "../checks/schedule-watch.ts";
import { ShownWatch } from "../checks/shown.ts";
import { CLOCK_FAULTS, type Fault } from "../faults/fault.ts";
import { type FaultCount, FaultLog } from "../faults/fault-log.ts";
import { ObserverFaults } from "../faults/observers.ts";
import { RULES } from "../programs/held-back.ts";
import { Ledger } from "../programs/ledger.ts";
import { drawSchedules, type SchedulePlan } from "../programs/schedules.ts";
import type { Program } from "../programs/step.ts";
import type { Settings } from "../settings.ts";
import type { SimulatedStore, Stored } from "../store/simulated-store.ts";
import { Chance } from "../world/chance.ts";
import type { Globals } from "../world/globals.ts";
import type { Machine } from "../world/machine.ts";
import { Trace, type TraceOptions } from "../world/trace.ts";
import type { World } from "../world/world.ts";
import { ClientHost, type ClientHostParts, type ClientWork } from "./client-host.ts";
import { Driver } from "./driver.ts";
import { inspect } from "./inspector.ts";
import { openStore } from "./open-store.ts";
import { Troubles } from "./process-troubles.ts";
import { fatesOf, programsOf } from "./programs-of-seed.ts";
import { ScheduleDriver } from "./schedule-driver.ts";
import { Server } from "./server.ts";

export interface RunResult {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly digest: string;
  readonly steps: number;
  readonly virtualMs: number;
  readonly orchestrations: number;
  readonly activityRuns: number;
  /** Programs that clients started. */
  readonly programs: number;
  readonly faults: readonly FaultCount[];
  /** How often each kind of event is in the histories. */
  readonly calls: ReadonlyMap<string, number>;
}

/** The time that a turn of a schedule takes at most, while there are faults. */
const SLACK_MS = { cosmos: 60_000, sqlite: 10_000 } as const;
/** After the last fault: within this time everything has ended, and after it nothing is left over. */
const PROGRESS_MS = 240_000;
const TIDY_MS = 240_000;
/** How often a client that may die repeats a message that was accepted. */
const FORGETS = 0.3;
const LOOK_EVERY_MS = 2_000;
const DRAWN_AGAIN_MS = [undefined, undefined, 0, 300, 2_000] as const;
const INSPECTION_MS = 60_000;
/** A process that is awake for so long after its store is gone has said so, and has been ended. */
const NOTICED_WITHIN_MS = 12_000;
/** How much longer than its time the bad time may last to come to the least number of faults. */
const LONGER_MS = 120_000;

export async function simulate(
  globals: Globals,
  settings: Settings,
  options: TraceOptions = {},
): Promise<RunResult> {
  const world = globals.newWorld(settings.seed, new Trace(options));
  const log = new FaultLog();
  const observers = new ObserverFaults(world, settings.faults.has("observers"), log);
  const store = await openStore(globals, world, settings, log, observers);
  const run = new SimulationRun({ world, store, observers }, settings, log);
  return run.play();
}

/** linear-reads.R1. */
function scopeOfReads({ store, faults }: Settings): Scope {
  if (store === "sqlite") return "processes";
  return faults.has("lagging-replica") || faults.has("stale-reads") ? "one process" : "processes";
}

/** How long the lock of a handler that has begun lasts for sure, while there are faults, ms. */
function sureMs({ store, faults, leaseMs }: Settings): number {
  const mayFail = store === "cosmos" || STORE_FAILS.some((fault) => faults.has(fault));
  if (CLOCK_FAULTS.some((fault) => faults.has(fault))) return -1;
  return mayFail ? leaseMs / 10 : Number.POSITIVE_INFINITY;
}

/** Faults with which a lock may not be renewed, or may be old when its handler begins. */
const STORE_FAILS: readonly Fault[] = ["busy", "disk-full", "io-error"];

function described({ event_id: id, type, source_event_id: source }: HistoryEvent): string {
  return source == null ? `${id} ${type}` : `${id} ${type} of ${source}`;
}

class SimulationRun {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #log: FaultLog;
  readonly #violations = new Set<string>();
  readonly #store: SimulatedStore;
  readonly #watch: HistoryWatch;
  readonly #shown: ShownWatch;
  readonly #overtaking: Overtaking;
  readonly #doubleRuns: DoubleRuns;
  readonly #limits: LimitWatch;
  readonly #ledger: Ledger;
  readonly #programs: readonly Program[];
  readonly #schedules: readonly SchedulePlan[];
  readonly #scheduleWatch = new ScheduleWatch();
  /** Periods that clients have asked for, by schedule; a copy of the store has them too. */
  #backfilled: readonly Backfilled[][] = [];
  #isCalm = false;
  readonly #onViolation: (violation: string) => void;
  #work: ClientWork;
  readonly #servers: readonly Server[];
  readonly #clients: readonly ClientHost[];
  readonly #calls = new Map<string, number>();
  #histories = 0;
  /** State at the last look. */
  #last: Stored | undefined;

  constructor(hosts: ClientHostParts, settings: Settings, log: FaultLog) {
    const { world, store } = hosts;
    this.#world = world;
    this.#settings = settings;
    this.#store = store;
    this.#log = log;
    const onViolation = (violation: string): void => {
      world.trace.add(`VIOLATION ${violation}`);
      this.#violations.add(violation);
    };
    const programs = programsOf(settings);
    const fateOf = fatesOf(programs);
    this.#doubleRuns = new DoubleRuns(onViolation, (key) => fateOf(key) === "may begin anew");
    this.#limits = new LimitWatch({
      rules: RULES,
      leaseMs: settings.leaseMs,
      sureMs: sureMs(settings),
      onViolation,
    });
    this.#watch = new HistoryWatch({
      lateMs: 3 * settings.leaseMs + 45_000,
      fateOf,
      onViolation,
    });
    this.#shown = new ShownWatch(onViolation);
    this.#overtaking = new Overtaking(() => world.steps);
    this.#ledger = new Ledger({
      nowMs: () => world.nowMs,
      onBegin: (run) => {
        if (settings.isOrderly && run.attempt > 1)
          onViolation(`${run.key}: is attempt ${run.attempt}, and every process was shut down in order`);
        this.#watch.began(run);
        this.#doubleRuns.began(run);
        this.#limits.began(run);
      },
      onEnd: (run) => {
        this.#overtaking.ended(run.key);
        this.#doubleRuns.ended(run);
        this.#limits.ended(run);
      },
    });
    this.#programs = programs;
    this.#schedules = settings.schedules
      ? drawSchedules(Chance.of(world.seed, "schedules"), world.nowMs, settings.badMs)
      : [];
    this.#backfilled = this.#schedules.map(() => []);
    this.#onViolation = onViolation;
    this.#work = this.#newWork({ isContinued: false });
    const parts = { ...hosts, settings, ledger: this.#ledger, schedules: this.#schedules };
    this.#servers = Array.from({ length: settings.servers }, (_, number) => new Server(parts, `s${number}`));
    this.#clients = Array.from({ length: settings.clients }, (_, number) => {
      const runtime = settings.embeds ? parts : undefined;
      return new ClientHost({ ...hosts, runtime }, `c${number}`, this.#workOf(number));
    });
    store.onChange((change) => {
      if (change === "saved") this.#ledger.save();
      else if (change === "losing power") this.#watch.look(store.read(), world.nowMs);
      else this.#beginAgain(change);
    });
  }

  get #drivers(): readonly Driver[] {
    return this.#work.drivers;
  }

  #workOf(client: number): ClientWork {
    const drivers = this.#drivers.filter((_driver, at) => at % this.#settings.clients === client);
    const schedules = this.#work.schedules.filter((_driver, at) => at % this.#settings.clients === client);
    const others = this.#drivers.filter((driver) => !drivers.includes(driver));
    return { ...this.#work, drivers, others, schedules };
  }

  #newWork({ isContinued }: { readonly isContinued: boolean }): ClientWork {
    const world = this.#world;
    const settings = this.#settings;
    const onViolation = this.#onViolation;
    const reads = new LinearReads(this.#programs, {
      across: scopeOfReads(settings),
      step: () => world.steps,
      isContinued,
      onViolation,
    });
    const others = this.#programs.map(({ instanceId }) => instanceId);
    const drivers = this.#programs.map((program) => {
      const drive = Chance.of(world.seed, `drive ${program.instanceId}`);
      const forgets = (): boolean => {
        const doesForget = settings.faults.has("client-kill") && drive.happens(FORGETS);
        if (doesForget) this.#log.add("client-kill", "message repeated");
        return doesForget;
      };
      return new Driver(program, {
        ledger: this.#ledger,
        chance: drive,
        reads,
        others,
        drawnAgainAfterMs: Chance.of(world.seed, `id ${program.instanceId}`).pick(DRAWN_AGAIN_MS),
        forgets,
        nowMs: () => world.nowMs,
        accepted: (name, value) => this.#overtaking.accepted(program.instanceId, name, value),
        isContinued,
        onViolation,
      });
    });
    const schedules = this.#schedules.map(
      (plan, number) =>
        new ScheduleDriver(plan, {
          isCalm: () => this.#isCalm,
          backfilled: this.#backfilled[number] ?? [],
          onViolation,
        }),
    );
    return { drivers, others: [], schedules, reads, lists: settings.lists, onViolation };
  }

  /**
   * Starts all programs again in a replaced store. What was acknowledged in the one that is gone is excused. In the
   * new one nothing may be lost or doubled. Processes that have the old one open notice it by themselves.
   */
  #beginAgain(change: "emptied" | "restored"): void {
    this.#watch.forget();
    this.#limits.forget();
    this.#scheduleWatch.forget();
    this.#work = this.#newWork({ isContinued: change === "restored" });
    for (const [number, client] of this.#clients.entries()) client.take(this.#workOf(number));
    const machines = [...this.#servers, ...this.#clients].flatMap(({ machine }) => machine ?? []);
    this.#ledger.goOn(change === "restored" ? "copy" : "nothing", machines);
    for (const machine of machines) {
      this.#expectEnd(machine);
    }
  }

  /** A process whose store is gone notices it, unless it makes no calls. */
  #expectEnd(machine: Machine): void {
    const world = this.#world;
    world.schedule(NOTICED_WITHIN_MS, machine, "must have noticed", () => {
      // It stood still in the meantime.
      if (world.nowMs < machine.frozenUntilMs + NOTICED_WITHIN_MS) return this.#expectEnd(machine);
      const isIdle = this.#clients.some((client) => client.machine === machine && client.isIdle);
      if (!isIdle) this.#onViolation(`${machine.name} goes on in a store that is gone`);
      machine.kill();
    });
  }

  async play(): Promise<RunResult> {
    const world = this.#world;
    try {
      for (const each of [...this.#servers, ...this.#clients]) each.start();
      // The container is created while all is well.
      await world.run(1_000);
      await this.#playBadTime();
      await this.#untilCalm();
      this.#count();
      const settings = this.#settings;
      const { faults, store } = settings;
      const clocksAgree = !CLOCK_FAULTS.some((fault) => faults.has(fault));
      const startsMayBeLate = store === "cosmos" && faults.has("slow");
      const { detached } = this.#ledger;
      const overtaking =
        store === "sqlite" && clocksAgree && !faults.has("file-replaced") ? this.#overtaking : undefined;
      this.#violate(
        await endViolations(this.#store.read(), this.#drivers, {
          clocksAgree,
          startsMayBeLate,
          detached,
          overtaking,
        }),
      );
      this.#violate(this.#wrongSchedules(clocksAgree));
      if (this.#violations.size === 0 && settings.inspects) await this.#inspect();
      this.#violate(this.#store.damage());
      this.#show();
    } catch (error) {
      this.#violations.add(`the run failed: ${error instanceof Error ? error.stack : String(error)}`);
    } finally {
      for (const each of [...this.#servers, ...this.#clients]) each.machine?.kill();
      await this.#store.close();
    }
    return {
      seed: this.#settings.seed,
      violations: [...this.#violations],
      digest: world.trace.digest(),
      steps: world.steps,
      virtualMs: world.elapsedMs,
      orchestrations: this.#histories,
      activityRuns: this.#ledger.runs,
      programs: this.#drivers.length,
      faults: this.#log.counts,
      calls: this.#calls,
    };
  }

  async #playBadTime(): Promise<void> {
    const troubles = new Troubles({
      world: this.#world,
      settings: this.#settings,
      servers: this.#servers,
      clients: this.#clients,
      ofStore: () => this.#store.trouble(),
      log: this.#log,
    });
    this.#store.beginFaults();
    troubles.begin();
    const { badMs, leastFaults } = this.#settings;
    await this.#runFor(badMs, () => false);
    const areEnough = (): boolean => this.#log.total >= leastFaults;
    await this.#runFor(LONGER_MS, areEnough);
    if (!areEnough()) troubles.addFreezes();
    await this.#runFor(LONGER_MS, areEnough);
    troubles.end();
    this.#store.endFaults();
    this.#doubleRuns.faultsEnded(this.#world.nowMs);
    this.#limits.faultsEnded(this.#world.nowMs);
    this.#isCalm = true;
  }

  async #untilCalm(): Promise<void> {
    const { drivers, schedules } = this.#work;
    await this.#runFor(
      PROGRESS_MS,
      () => drivers.every(({ ending }) => ending !== undefined) && schedules.every(({ isOver }) => isOver),
    );
    // Children that were cancelled and detached instances end by themselves.
    await this.#runFor(TIDY_MS, () => {
      const stored = this.#store.read();
      return stored.leftovers.length === 0 && stored.ends.every(hasEnded);
    });
  }

  async #runFor(ms: number, isOver: () => boolean): Promise<void> {
    const world = this.#world;
    const endMs = world.elapsedMs + ms;
    while (world.elapsedMs < endMs && !isOver()) {
      await world.run(Math.min(LOOK_EVERY_MS, endMs - world.elapsedMs));
      this.#look();
    }
  }

  /** Nothing changes any more. */
  async #inspect(): Promise<void> {
    const world = this.#world;
    const machine = world.machine("inspector");
    let isOver = false;
    world.in(machine, () => {
      inspect(this.#store, machine, Chance.of(world.seed, "inspector")).then(
        (faults) => {
          this.#violate(faults);
          isOver = true;
        },
        (error: unknown) => world.fail(error),
      );
    });
    await world.run(INSPECTION_MS, () => isOver);
    if (!isOver) this.#violations.add("the look at everything does not end");
    machine.kill();
  }

  #wrongSchedules(clocksAgree: boolean): readonly string[] {
    if (this.#schedules.length === 0) return [];
    this.#look();
    const stored = this.#store.read();
    const histories = new Map(
      [...stored.histories].map(([key, events]) => [key, events.map((event) => stored.decode(event))]),
    );
    const slackMs = SLACK_MS[this.#settings.store];
    return this.#scheduleWatch.violations(this.#work.schedules, histories, { clocksAgree, slackMs });
  }

  #look(): void {
    const stored = this.#store.read();
    if (stored === this.#last) return;
    this.#last = stored;
    this.#watch.look(stored, this.#world.nowMs);
    this.#shown.look(stored);
    this.#scheduleWatch.look(stored);
    this.#violate(stored.contradictions);
    this.#violate(overfull(stored, RULES));
  }

  #count(): void {
    const stored = this.#store.read();
    this.#histories = new Set([...stored.histories.keys()].map((key) => key.split("#")[0])).size;
    for (const event of [...stored.histories.values()].flat()) {
      const { type } = stored.decode(event);
      this.#calls.set(type, (this.#calls.get(type) ?? 0) + 1);
    }
  }

  /** Writes programs and histories for the reader of a trace. */
  #show(): void {
    const { trace } = this.#world;
    const stored = this.#store.read();
    for (const { program } of this.#drivers) trace.show(() => `program ${JSON.stringify(program)}`);
    for (const [key, events] of stored.histories) {
      trace.show(
        () => `history ${key}: ${events.map((event) => described(stored.decode(event))).join(", ")}`,
      );
    }
  }

  #violate(violations: readonly string[]): void {
    for (const violation of violations) this.#violations.add(violation);
  }
}

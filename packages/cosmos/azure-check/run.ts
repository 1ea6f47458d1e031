/**
 * The check: runs steps one after the other, and stops at the first gate that does not hold.
 *
 * 1. The database is the check's own and is removed at the end, whatever happened, unless it is to be kept.
 * 2. Nothing runs after a red gate: what it protects may be lost.
 */
import { type Exchange, Recorder, type Recording } from "@duroxide-ts/cosmos-emulator/conformance";
import { estimate, measured, PRICES } from "./cost.ts";
import { GateFailed, Notes } from "./notes.ts";
import type { Place } from "./place.ts";
import {
  type CheckReport,
  FORMAT_VERSION,
  type RequestSeen,
  type StepReport,
  withoutSecrets,
} from "./report.ts";
import type { Scale } from "./scale.ts";
import { Stage } from "./stage.ts";
import type { Step } from "./step.ts";

export interface RunOptions {
  readonly place: Place;
  readonly steps: readonly Step[];
  readonly scale: Scale;
  /** Leaves the database where it is. */
  readonly keep?: boolean;
  /** Called with each step as it ends. */
  readonly onStep?: (report: StepReport) => void;
  /** Called with the recording, at the end. */
  readonly onRecording?: (recording: Recording) => void;
  /** Address of a test's proxy, to which requests go instead of the place. */
  readonly through?: URL;
  /** Things that take long to make and are the same for every run, such as the queries of the provider. */
  readonly made?: Map<string, Promise<unknown>>;
  readonly say?: (line: string) => void;
}

/** Number of a step's requests that the report shows. */
const MOST_REQUESTS = 40;

export async function runCheck(options: RunOptions): Promise<CheckReport> {
  const { place, steps, scale, keep = false, onStep = () => {}, say = () => {} } = options;
  const startedAt = new Date();
  const database = databaseName(place, startedAt);
  const recorder = new Recorder({ recordedFrom: place.kind, database, secrets: secretsOf(place) });
  const meter = new Meter((step, exchange) => recorder.take(step.id, exchange));
  const stage = new Stage({
    place,
    scale,
    database,
    onExchange: (exchange) => meter.take(exchange),
    onCharge: (ru) => meter.charge(ru),
    say,
    made: options.made ?? new Map(),
    ...(options.through !== undefined && { through: options.through }),
  });
  const reports: StepReport[] = [];
  let databaseRemoved: boolean | undefined;
  try {
    for (const step of steps) {
      const report = withoutSecrets(await runStep(step, stage, meter), secretsOf(place));
      reports.push(report);
      onStep(report);
      if (report.verdict === "red") break;
    }
  } finally {
    if (!keep) databaseRemoved = await stage.clear().catch(() => false);
    stage.close();
  }
  options.onRecording?.(recorder.recording);
  const red = reports.find(({ verdict }) => verdict === "red");
  return {
    formatVersion: FORMAT_VERSION,
    place: place.kind,
    startedAt: startedAt.toISOString(),
    tookMs: Date.now() - startedAt.getTime(),
    outcome: red === undefined ? "green" : "red",
    ...(red !== undefined && { stoppedAt: red.id }),
    steps: reports,
    cost: { estimated: estimate(steps, scale), measured: measured(meter.totalRu), prices: PRICES },
    ...(databaseRemoved !== undefined && { databaseRemoved }),
  };
}

/** An identity cannot create databases, so there it has a name that an administrator can know. */
function databaseName({ key }: Place, now: Date): string {
  if (key === undefined) return "duroxide-check";
  return `duroxide-check-${now
    .toISOString()
    .replaceAll(/[^0-9]/g, "")
    .slice(0, 14)}`;
}

async function runStep(step: Step, stage: Stage, meter: Meter): Promise<StepReport> {
  const notes = new Notes(step.gates);
  const startedMs = performance.now();
  meter.begin(step);
  try {
    await step.run(stage, notes);
  } catch (error) {
    if (!(error instanceof GateFailed))
      notes.brokeOff(error instanceof Error ? error.message : String(error));
  }
  notes.end();
  return {
    id: step.id,
    phase: step.phase,
    title: step.title,
    verdict: notes.verdict,
    findings: notes.findings,
    facts: notes.facts,
    requests: meter.requests,
    requestCount: meter.requestCount,
    ru: Math.round(meter.ru * 100) / 100,
    tookMs: Math.round(performance.now() - startedMs),
  };
}

/** Returns the texts that neither the report nor a recording may have. */
function secretsOf({ key, endpoint }: Place): readonly string[] {
  const [account = ""] = endpoint.hostname.split(".");
  const names = endpoint.hostname.includes(".documents.azure.") ? [endpoint.hostname, account] : [];
  return [key ?? "", ...names];
}

/** Counts requests and request units, for the step that runs and for all. */
class Meter {
  readonly #record: (step: Step, exchange: Exchange) => void;
  #step: Step | undefined;
  #requests: RequestSeen[] = [];
  requestCount = 0;
  ru = 0;
  totalRu = 0;

  constructor(record: (step: Step, exchange: Exchange) => void) {
    this.#record = record;
  }

  get requests(): readonly RequestSeen[] {
    return this.#requests;
  }

  begin(step: Step): void {
    this.#step = step;
    this.#requests = [];
    this.requestCount = 0;
    this.ru = 0;
  }

  take(exchange: Exchange): void {
    const { reply, tookMs } = exchange;
    const ru = Number.isFinite(reply.charge) ? reply.charge : 0;
    this.charge(ru);
    this.requestCount++;
    if (this.#requests.length < MOST_REQUESTS) {
      const { request, status, substatus } = reply;
      this.#requests.push({ request, status, substatus, ru, tookMs: Math.round(tookMs * 10) / 10 });
    }
    if (this.#step?.isRecorded === true) this.#record(this.#step, exchange);
  }

  charge(ru: number): void {
    this.ru += ru;
    this.totalRu += ru;
  }
}

/** Phase 0: whether the account answers, is one on which leases are safe, and shares our clock. No request units. */
import { lookup } from "node:dns/promises";
import { connect } from "node:tls";
import type { Reply } from "../../cosmos-emulator/conformance/client/reply.ts";
import { expect, expectStatus } from "../../cosmos-emulator/conformance/expect.ts";
import { verifiesCertificates } from "./place.ts";
import type { Stage } from "./stage.ts";
import { step } from "./step.ts";

const LARGEST_SKEW_MS = 1_000;
/** The header `Date` has whole seconds. */
const RESOLUTION_MS = 1_000;

const STRONG_ENOUGH: readonly unknown[] = ["Strong", "BoundedStaleness", "Session"];

interface TimedReply {
  readonly reply: Reply;
  readonly sentMs: number;
  readonly receivedMs: number;
  readonly tookMs: number;
}

export const PREFLIGHT = step({
  id: "0",
  phase: 0,
  title: "Preflight",
  gates: {
    reachable: "the name resolves, the certificate is verified, and the account is read with 200",
    "one-write-region": "the account has one write region",
    consistency: "the default consistency is Session or stronger",
    "clock-skew": "this machine's clock differs from the service's by less than 1 s",
  },
  estimateRu: () => 0,
  isRecorded: true,
  async run(stage, notes) {
    let account: Reply | undefined;
    await notes.gate("reachable", async () => {
      await resolveName(stage);
      notes.record("tls", await tlsVersion(stage));
      account = expectStatus(await stage.raw.send({ method: "GET", link: "", path: "/" }), 200);
    });
    const fields = account?.fields ?? {};
    await notes.gate("one-write-region", () => {
      const regions = fields["writableLocations"];
      const isOne = Array.isArray(regions) && regions.length === 1;
      expect(isOne && fields["enableMultipleWriteLocations"] !== true, "several regions take writes");
    });
    await notes.gate("consistency", () => {
      const { defaultConsistencyLevel: level } = Object(fields["userConsistencyPolicy"]);
      notes.record("consistency", level);
      expect(STRONG_ENOUGH.includes(level), `the default consistency is ${String(level)}`);
    });
    notes.record(
      "regions",
      Array.isArray(fields["readableLocations"]) ? fields["readableLocations"].length : 0,
    );
    stage.facts.capacity = await capacityOf(stage);
    notes.record("capacity", stage.facts.capacity);
    const replies = await readOften(stage);
    notes.record("round trip ms", percentiles(replies.map(({ tookMs }) => tookMs)));
    await notes.gate("clock-skew", () => {
      const { least, most } = skewBetween(replies);
      notes.record("clock skew ms, at least and at most", [least, most].map(Math.round));
      const isNear = least < LARGEST_SKEW_MS && most > -LARGEST_SKEW_MS;
      expect(isNear, `this machine's clock is ${Math.round(least)} to ${Math.round(most)} ms ahead`);
    });
  },
});

async function resolveName({ endpoint }: Stage): Promise<void> {
  await lookup(endpoint.hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** Undefined where there is no TLS. */
async function tlsVersion({ endpoint, place }: Stage): Promise<string | undefined> {
  if (endpoint.protocol !== "https:") return undefined;
  const { hostname: host, port } = endpoint;
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: host,
    minVersion: "TLSv1.2",
    rejectUnauthorized: verifiesCertificates(place),
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("secureConnect", resolve);
      socket.once("error", reject);
    });
    return socket.getProtocol() ?? undefined;
  } finally {
    socket.destroy();
  }
}

/** A serverless account refuses to list offers, and says why. Tokens may not list them at all. */
async function capacityOf({ raw }: Stage): Promise<Stage["facts"]["capacity"]> {
  const { status, text } = await raw.send({ method: "GET", link: "offers" });
  if (status === 200) return "provisioned";
  return status === 400 && /serverless/i.test(text) ? "serverless" : "unknown";
}

async function readOften({ raw, scale }: Stage): Promise<readonly TimedReply[]> {
  const replies: TimedReply[] = [];
  for (let n = 0; n < scale.roundTrips; n++) {
    const startedMs = performance.now();
    const sentMs = Date.now();
    const reply = await raw.send({ method: "GET", link: "", path: "/" });
    replies.push({ reply, sentMs, receivedMs: Date.now(), tookMs: performance.now() - startedMs });
  }
  return replies;
}

/** How far our clock is ahead, by all answers together: each was made after it was asked for, and before it arrived. */
function skewBetween(replies: readonly TimedReply[]): { readonly least: number; readonly most: number } {
  const dates = replies.map(({ reply }) => Date.parse(reply.header("date") ?? ""));
  expect(dates.every(Number.isFinite), "an answer has no Date header");
  const least = replies.map(({ sentMs }, n) => sentMs - (dates[n] ?? 0) - RESOLUTION_MS);
  const most = replies.map(({ receivedMs }, n) => receivedMs - (dates[n] ?? 0));
  return { least: Math.max(...least), most: Math.min(...most) };
}

function percentiles(values: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

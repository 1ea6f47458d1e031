/** One beat: a process renews its lease, reads who else holds one, and mends the tables that do not fit their members. */
import { ProviderError } from "@duroxide-ts/core";
import type { Call } from "../../service/service.ts";
import { type Leases, leasesIn, type MembersRead, newestTs, teamIn } from "./leases.ts";
import {
  isDueForRenewal,
  type LeaseDocuments,
  type LeaseDocumentsRead,
  type Member,
  type Table,
} from "./membership.ts";
import { type Division, divide, UNDIVIDED } from "./rebalance.ts";

export interface BeatOptions {
  readonly documents: LeaseDocuments;
  readonly call: Call;
  readonly member: Member;
  /** When the beat began, on the clock of this process. */
  readonly beganMs: number;
  /** When the lease was renewed last, on the clock of this process; undefined where this beat renews it. */
  readonly renewedMs: number | undefined;
  readonly onWarning: (message: string) => void;
}

/** What a beat brought for one group. */
export interface GroupOutcome {
  readonly leases: Leases;
  /** How the slots were divided, and how they are now if this process has changed it. */
  readonly divisions: readonly Division[];
}

export interface BeatOutcome {
  /** By the ids of their tables. */
  readonly groups: ReadonlyMap<string, GroupOutcome>;
  /** Until when those ask who ask for the same, by their ids, ms since the epoch. */
  readonly team: ReadonlyMap<string, number>;
  /** Whether the own lease was renewed. */
  readonly isRenewed: boolean;
}

/**
 * For each group of the member. A group is missing where its table leaves this process out or
 * is not for it to read: then it serves every slot. Throws a ProviderError where the service refuses or does not answer.
 */
export async function beat(given: BeatOptions): Promise<BeatOutcome> {
  const { member } = given;
  const standing = given.renewedMs === undefined ? undefined : await readWithOwn(given);
  const options = standing === undefined ? { ...given, renewedMs: undefined } : given;
  const isRenewed = standing === undefined;
  const read = standing ?? (await renew(options));
  const outcomes = new Map<string, GroupOutcome>();
  const team = teamIn(member, membersRead(read, options));
  const overtaken: string[] = [];
  for (const id of member.groups.keys()) {
    const outcome = await mend(options, read, id);
    if (outcome === "overtaken") overtaken.push(id);
    else if (outcome !== undefined) outcomes.set(id, outcome);
  }
  if (overtaken.length === 0) return { groups: outcomes, team, isRenewed };
  const again = (await readWithOwn(options)) ?? (await renew(options));
  for (const id of overtaken) {
    const outcome = outcomeOf(again, id, options);
    if (outcome !== undefined && countsOn(member.id, outcome)) outcomes.set(id, outcome);
  }
  return { groups: outcomes, team, isRenewed };
}

/** Undefined where the own lease is not there. */
async function readWithOwn({
  documents,
  call,
  member,
}: BeatOptions): Promise<LeaseDocumentsRead | undefined> {
  const read = await documents.read(call, [...member.groups.keys()]);
  return read.members.some(({ id }) => id === member.id) ? read : undefined;
}

async function renew(options: BeatOptions): Promise<LeaseDocumentsRead> {
  const { documents, call, member } = options;
  await documents.writeMember(call, member);
  const read = await readWithOwn(options);
  if (read !== undefined) return read;
  const message = "the lease that was renewed is not there; somebody removes documents of __leases__";
  throw new ProviderError({ code: "unavailable", operation: call.operation, message });
}

/** Writes the table anew where it does not fit; `overtaken` by somebody who wrote it in between. */
async function mend(
  options: BeatOptions,
  read: LeaseDocumentsRead,
  id: string,
): Promise<GroupOutcome | "overtaken" | undefined> {
  const table = read.tables.get(id);
  const outcome = outcomeOf(read, id, options);
  if (outcome === undefined) return undefined;
  const { divisions, leases } = outcome;
  const [before = UNDIVIDED] = divisions;
  const after = fitting(before, leases);
  const isFine = table !== undefined && !isDueForRenewal(table, newestTs(read.members));
  if (isFine && after === before) return outcome;
  const isWritten = await options.documents.writeTable(options.call, id, after, table);
  return isWritten ? { leases, divisions: [before, after] } : "overtaken";
}

/** A version above all that anybody has seen, also where the table was lost. */
function fitting(before: Division, leases: Leases): Division {
  const versions = [...leases.values()].map(({ version }) => version);
  return divide(before, [...leases.keys()], Math.max(before.version, ...versions) + 1);
}

function outcomeOf(read: LeaseDocumentsRead, id: string, options: BeatOptions): GroupOutcome | undefined {
  const division = divisionIn(id, read.tables.get(id), options.onWarning);
  if (division === undefined) return undefined;
  return { divisions: [division], leases: leasesIn(id, membersRead(read, options)) };
}

/** The service's time is at least that of the own renewal and what has passed since, by the clock of this process. */
function membersRead(
  { members }: LeaseDocumentsRead,
  { member, beganMs, renewedMs = beganMs }: BeatOptions,
): MembersRead {
  const ownTs = members.find(({ id }) => id === member.id)?.ts ?? 0;
  const passedS = Math.ceil((beganMs - renewedMs) / 1_000);
  return { members, nowTs: Math.max(newestTs(members), ownTs + passedS), askedMs: beganMs };
}

function divisionIn(
  id: string,
  table: Table | undefined,
  onWarning: BeatOptions["onWarning"],
): Division | undefined {
  switch (table?.content) {
    case undefined:
      return UNDIVIDED;
    case "later-layout":
      onWarning(
        `${id} was written by a later version; until that is gone, or used here, every slot is served`,
      );
      return undefined;
    case "spoiled":
      onWarning(`${id} cannot be read and is written anew; leave the documents of __leases__ alone`);
      return UNDIVIDED;
    default:
      return table?.content;
  }
}

/** Unless somebody who did not know of this process has divided the slots without it. */
function countsOn(member: string, { divisions: [division = UNDIVIDED], leases }: GroupOutcome): boolean {
  return division.owners.includes(member) || fitting(division, leases) === division;
}

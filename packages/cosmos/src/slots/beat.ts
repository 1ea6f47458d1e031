/** One beat: a process renews its lease, reads who else holds one, and mends the tables that do not fit their members. */
import { ProviderError } from "@duroxide-ts/core";
import type { Call } from "../requests/call.ts";
import type { GroupState } from "./group-share.ts";
import {
  isDueForRenewal,
  type LeaseDocuments,
  type LeaseDocumentsRead,
  type Member,
  type Table,
} from "./lease-documents.ts";
import { leasesIn, newestTs } from "./leases.ts";
import { isSame, NOBODY, type Owners, rebalance } from "./rebalance.ts";

export interface BeatOptions {
  readonly documents: LeaseDocuments;
  readonly call: Call;
  readonly member: Member;
  /** When the beat began, on the clock of this process. */
  readonly beganMs: number;
  readonly onWarning: (message: string) => void;
}

export interface GroupOutcome extends GroupState {
  /** How the slots were divided when the beat began. */
  readonly before: Owners;
}

/**
 * For each group of the member, by the id of its table. A group is missing where its table leaves this process out or
 * is not for it to read: then it serves every slot. Throws a ProviderError where the service refuses or does not answer.
 */
export async function beat(options: BeatOptions): Promise<ReadonlyMap<string, GroupOutcome>> {
  const { documents, call, member } = options;
  await documents.writeMember(call, member);
  const read = await readWithOwn(options);
  const outcomes = new Map<string, GroupOutcome>();
  const overtaken: string[] = [];
  for (const id of member.idleMs.keys()) {
    const outcome = await mend(options, read, id);
    if (outcome === "overtaken") overtaken.push(id);
    else if (outcome !== undefined) outcomes.set(id, outcome);
  }
  if (overtaken.length === 0) return outcomes;
  const again = await readWithOwn(options);
  for (const id of overtaken) {
    const outcome = stateIn(again, id, options);
    if (outcome !== undefined && countsOn(member.id, outcome)) outcomes.set(id, outcome);
  }
  return outcomes;
}

async function readWithOwn({ documents, call, member }: BeatOptions): Promise<LeaseDocumentsRead> {
  const read = await documents.read(call, [...member.idleMs.keys()]);
  if (read.members.some(({ id }) => id === member.id)) return read;
  const message = "the lease that was just renewed is not there; somebody removes documents of __leases__";
  throw new ProviderError({ code: "unavailable", operation: call.operation, message });
}

/** Writes the table anew where it does not fit; `overtaken` by somebody who wrote it in between. */
async function mend(
  options: BeatOptions,
  read: LeaseDocumentsRead,
  id: string,
): Promise<GroupOutcome | "overtaken" | undefined> {
  const table = read.tables.get(id);
  const state = stateIn(read, id, options);
  if (state === undefined) return undefined;
  const owners = rebalance(state.owners, [...state.leases.keys()]);
  const isFine = table !== undefined && !isDueForRenewal(table, newestTs(read.members));
  if (isFine && isSame(owners, state.owners)) return state;
  const isWritten = await options.documents.writeTable(options.call, id, owners, table);
  return isWritten ? { ...state, owners } : "overtaken";
}

function stateIn(
  read: LeaseDocumentsRead,
  id: string,
  { beganMs, onWarning }: BeatOptions,
): GroupOutcome | undefined {
  const owners = ownersIn(id, read.tables.get(id), onWarning);
  if (owners === undefined) return undefined;
  return { owners, before: owners, leases: leasesIn(id, read.members, beganMs) };
}

function ownersIn(
  id: string,
  table: Table | undefined,
  onWarning: BeatOptions["onWarning"],
): Owners | undefined {
  switch (table?.content) {
    case undefined:
      return NOBODY;
    case "later-layout":
      onWarning(
        `${id} was written by a later version; until that is gone, or used here, every slot is served`,
      );
      return undefined;
    case "spoiled":
      onWarning(`${id} cannot be read and is written anew; leave the documents of __leases__ alone`);
      return NOBODY;
    default:
      return table?.content;
  }
}

/** Somebody who did not know of this process has divided the slots without it. */
function countsOn(member: string, { owners, leases }: GroupState): boolean {
  return owners.includes(member) || isSame(owners, rebalance(owners, [...leases.keys()]));
}

/** One beat: a process renews its lease where that is due, and reads which others hold one. */
import { ProviderError } from "@duroxide-ts/core";
import type { Call } from "../../service/requests.ts";
import { newestTs, peersIn } from "./leases.ts";
import { type Member, readMembers, type StoredMember, writeMember } from "./member-documents.ts";

export interface BeatOptions {
  readonly call: Call;
  readonly member: Member;
  /** Start of the beat, on the clock of this process. */
  readonly beganMs: number;
  /** Last renewal of the lease, on the clock of this process; undefined if this beat renews it. */
  readonly renewedMs: number | undefined;
}

export interface BeatOutcome {
  /** The end of the lease of each member that asks for the same, ms since the epoch, by id. */
  readonly peerGroup: ReadonlyMap<string, number>;
  /** Whether the own lease was renewed. */
  readonly isRenewed: boolean;
}

/** Throws a ProviderError if the service refuses or does not answer. */
export async function beat({ call, member, beganMs, renewedMs }: BeatOptions): Promise<BeatOutcome> {
  const standing = renewedMs === undefined ? undefined : await readWithOwn(call, member);
  const isRenewed = standing === undefined;
  const members = standing ?? (await renew(call, member));
  const ownTs = members.find(({ id }) => id === member.id)?.ts ?? 0;
  // The service's time is at least that of the own renewal and what has passed since on the clock of this process.
  const passedS = isRenewed ? 0 : Math.ceil((beganMs - (renewedMs ?? beganMs)) / 1_000);
  const nowTs = Math.max(newestTs(members), ownTs + passedS);
  return { peerGroup: peersIn(member, { members, nowTs, askedMs: beganMs }), isRenewed };
}

/** Undefined if the own lease is not there. */
async function readWithOwn(call: Call, member: Member): Promise<readonly StoredMember[] | undefined> {
  const members = await readMembers(call);
  return members.some(({ id }) => id === member.id) ? members : undefined;
}

async function renew(call: Call, member: Member): Promise<readonly StoredMember[]> {
  await writeMember(call, member);
  const members = await readWithOwn(call, member);
  if (members !== undefined) return members;
  const message = "the lease that was renewed is not there; do not remove documents of partition __leases__";
  throw new ProviderError({ code: "unavailable", operation: call.operation, message });
}

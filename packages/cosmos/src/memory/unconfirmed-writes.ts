/**
 * The writes of messages that have no answer yet, by the instance that the messages are for. A turn may consume a message
 * before the answer to its write arrives (instances.I6; docs/decisions/cosmos-replicas.md).
 */

/** A write of messages for one instance. Disposing ends it. */
export class UnconfirmedWrite implements Disposable {
  /** The partition was read since the write began: its messages may be consumed already. */
  partitionWasRead = false;
  readonly instanceId: string;
  readonly #end: (write: UnconfirmedWrite) => void;

  constructor(instanceId: string, end: (write: UnconfirmedWrite) => void) {
    this.instanceId = instanceId;
    this.#end = end;
  }

  [Symbol.dispose](): void {
    this.#end(this);
  }
}

export class UnconfirmedWrites {
  readonly #underWay = new Map<string, Set<UnconfirmedWrite>>();

  /** Called before the request. */
  begin(instanceId: string): UnconfirmedWrite {
    const underWay = this.#underWay.get(instanceId) ?? new Set();
    const write = new UnconfirmedWrite(instanceId, (ended) => {
      underWay.delete(ended);
      if (underWay.size === 0) this.#underWay.delete(instanceId);
    });
    this.#underWay.set(instanceId, underWay.add(write));
    return write;
  }

  /** Called when the partition was read. */
  notePartitionRead(instanceId: string): void {
    for (const write of this.#underWay.get(instanceId) ?? []) write.partitionWasRead = true;
  }
}

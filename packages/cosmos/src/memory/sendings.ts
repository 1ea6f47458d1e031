/**
 * The writes of messages that have no answer yet, by the instance that the messages are for. A turn may consume a message
 * before the answer to its write arrives (instances.I6; docs/decisions/cosmos-replicas.md).
 */

/** A write of messages for one instance. Disposing ends it. */
export class Sending implements Disposable {
  /** The partition was read since the write began: its messages may be consumed already. */
  isOvertaken = false;
  readonly instanceId: string;
  readonly #end: (sending: Sending) => void;

  constructor(instanceId: string, end: (sending: Sending) => void) {
    this.instanceId = instanceId;
    this.#end = end;
  }

  [Symbol.dispose](): void {
    this.#end(this);
  }
}

export class Sendings {
  readonly #underWay = new Map<string, Set<Sending>>();

  /** Called before the request. */
  begin(instanceId: string): Sending {
    const underWay = this.#underWay.get(instanceId) ?? new Set();
    const sending = new Sending(instanceId, (ended) => {
      underWay.delete(ended);
      if (underWay.size === 0) this.#underWay.delete(instanceId);
    });
    this.#underWay.set(instanceId, underWay.add(sending));
    return sending;
  }

  /** Called when the partition was read. */
  overtake(instanceId: string): void {
    for (const sending of this.#underWay.get(instanceId) ?? []) sending.isOvertaken = true;
  }
}

/**
 * A list of members that are added and deleted all the time, in the order in which they were added. Adding and deleting
 * take constant time on average, and keep no garbage reachable (churning-map.ts says what a Set would keep).
 *
 * M1  A deleted member stays in the list, marked, until it is the first or until marked members outnumber the others.
 *     Until then visits skip it.
 */

/** A member is in at most one list, and once; only the list writes `left`. */
export interface Member {
  left: boolean;
}

/** Deleted members before a small list is copied. */
const LEAST_LEFT = 32;

/** A set of members in the order in which they were added; each member is in at most one set. */
export class Members<Each extends Member> {
  #members: Each[] = [];
  /** The members before this index are deleted. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the member at the end. */
  add(member: Each): void {
    this.#members.push(member);
    this.#size++;
  }

  /** Deletes the member; no effect if it is deleted already. */
  delete(member: Each): void {
    if (member.left) return;
    member.left = true;
    this.#size--;
    while (this.#members[this.#first]?.left) this.#first++;
    if (this.#members.length > 2 * this.#size + LEAST_LEFT) {
      this.#members = this.all();
      this.#first = 0;
    }
  }

  /** A copy, so that members may be deleted meanwhile. */
  all(): Each[] {
    return this.#members.slice(this.#first).filter(({ left }) => !left);
  }

  /** Visits the members in order until `visit` returns false. The list must not change meanwhile. */
  visit(visit: (member: Each) => boolean): void {
    for (let index = this.#first; index < this.#members.length; index++) {
      const member = this.#members[index];
      if (member !== undefined && !member.left && !visit(member)) return;
    }
  }
}

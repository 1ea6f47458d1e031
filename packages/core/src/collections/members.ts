/**
 * A list of members that are added and deleted all the time, in the order in which they were added. Adding and deleting
 * take constant time on average, and keep no garbage reachable (churning-map.ts says what a Set would keep).
 *
 * - members.M1: The place of a deleted member stays in the list until it is the first or until empty places outnumber
 *   the members. Until then visits skip it.
 * - members.M2: Nothing of a deleted member stays reachable: one may hold the history of a turn, which is megabytes.
 */

/** A member is in at most one list, and once; only the list writes these. */
export interface Member {
  left: boolean;
  /** Index in the list. */
  place: number;
}

/** Empty places before a small list is copied. */
const LEAST_LEFT = 32;

/** A set of members in the order in which they were added; each member is in at most one set. */
export class Members<Each extends Member> {
  #members: (Each | undefined)[] = [];
  /** The places before this one are empty. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the member at the end. */
  add(member: Each): void {
    member.place = this.#members.push(member) - 1;
    this.#size++;
  }

  /** Deletes the member; no effect if it is deleted already. */
  delete(member: Each): void {
    if (member.left) return;
    member.left = true;
    this.#members[member.place] = undefined;
    this.#size--;
    while (this.#first < this.#members.length && this.#members[this.#first] === undefined) this.#first++;
    if (this.#members.length > 2 * this.#size + LEAST_LEFT) this.#closeUp();
  }

  #closeUp(): void {
    const members = this.all();
    for (const [place, member] of members.entries()) member.place = place;
    this.#members = members;
    this.#first = 0;
  }

  /** A copy, so that members may be deleted meanwhile. */
  all(): Each[] {
    return this.#members.slice(this.#first).filter((member) => member !== undefined);
  }

  /** Visits the members in order until `visit` returns false. The list must not change meanwhile. */
  visit(visit: (member: Each) => boolean): void {
    for (let place = this.#first; place < this.#members.length; place++) {
      const member = this.#members[place];
      if (member !== undefined && !visit(member)) return;
    }
  }
}

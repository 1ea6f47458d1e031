/**
 * Members that come and go all the time, in the order in which they joined. Joining and leaving take constant time on
 * average, and leave nothing behind (churning-map.ts says what a Set would leave).
 *
 * M1  A member that has left stays in the list, marked, until it is the first or until those marked outnumber the
 *     others. It is passed over until then.
 */

/** In one list at most, and once; `left` is written by the list alone. */
export interface Member {
  left: boolean;
}

/** Members that have left before a small list is copied. */
const LEAST_LEFT = 32;

/** A set of members in the order in which they joined; each is in one at most, and once. */
export class Members<Each extends Member> {
  #members: Each[] = [];
  /** Those before it have left. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The member joins at the end. */
  add(member: Each): void {
    this.#members.push(member);
    this.#size++;
  }

  /** The member leaves; nothing happens where it has left already. */
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

  /** A copy, so that members may leave meanwhile. */
  all(): Each[] {
    return this.#members.slice(this.#first).filter(({ left }) => !left);
  }

  /** Those of now, the first to join first, until `visit` returns false. None may join or leave meanwhile. */
  visit(visit: (member: Each) => boolean): void {
    for (let index = this.#first; index < this.#members.length; index++) {
      const member = this.#members[index];
      if (member !== undefined && !member.left && !visit(member)) return;
    }
  }
}

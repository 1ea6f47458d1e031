/** A cursor over the characters of a pattern. */
export class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get done(): boolean {
    return this.#at >= this.#pattern.length;
  }

  /** The next character, or an empty string at the end. */
  peek(): string {
    const point = this.#pattern.codePointAt(this.#at);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  next(): string {
    const character = this.peek();
    this.#at += character.length;
    return character;
  }

  is(text: string): boolean {
    return this.#pattern.startsWith(text, this.#at);
  }

  take(text: string): boolean {
    const taken = this.is(text);
    this.#at += taken ? text.length : 0;
    return taken;
  }

  /** What a sticky expression matches here. */
  takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#pattern) ?? undefined;
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  /** White space, and comments from `#` to the end of the line. */
  skipBlanks(): void {
    this.takeMatch(/(?:\s|#[^\n]*)*/y);
  }
}

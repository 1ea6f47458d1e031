/**
 * The assertions of cases. They are counted, because a case without an assertion must fail; set-up uses `given`
 * (steps.ts), which is not counted.
 */
import assert, { AssertionError } from "node:assert/strict";
import { ProviderError, type ProviderErrorCode } from "@duroxide-ts/core/stores";

/** Each method throws an AssertionError with the expectation in words if it is not met. */
export class Check {
  #count = 0;

  /** The number of checked expectations. */
  get count(): number {
    return this.#count;
  }

  /** Deep and strict equality. */
  equal<T>(actual: T, expected: NoInfer<T>, what: string): void {
    this.#count++;
    assert.deepEqual(actual, expected, what);
  }

  /** Deep and strict inequality. */
  notEqual<T>(actual: T, other: NoInfer<T>, what: string): void {
    this.#count++;
    assert.notDeepEqual(actual, other, what);
  }

  /** Asserts that the condition holds. */
  isTrue(condition: boolean, what: string): void {
    this.#count++;
    assert.equal(condition, true, what);
  }

  /** Asserts that the value is not undefined; returns it. */
  present<T>(value: T | undefined, what: string): T {
    this.#count++;
    if (value === undefined)
      throw new AssertionError({ message: `${what}: expected something, got nothing` });
    return value;
  }

  /** Asserts that the value is undefined. */
  absent(value: unknown, what: string): void {
    this.#count++;
    assert.equal(value, undefined, what);
  }

  /** Asserts that the text matches the pattern. */
  matches(text: string, pattern: RegExp, what: string): void {
    this.#count++;
    assert.match(text, pattern, what);
  }

  /**
   * Asserts that the call rejects with one of the codes, and with its `retryable`; returns the error for further
   * checks.
   */
  async rejects(
    call: Promise<unknown>,
    codes: ProviderErrorCode | readonly ProviderErrorCode[],
    what: string,
  ): Promise<ProviderError> {
    this.#count++;
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error === undefined)
      throw new AssertionError({ message: `${what}: expected an error, but it succeeded` });
    if (!ProviderError.is(error)) {
      throw new AssertionError({
        message: `${what}: expected a ProviderError, got ${String(error)}`,
        actual: error,
      });
    }
    const expected = typeof codes === "string" ? [codes] : codes;
    if (!expected.includes(error.code)) {
      const message = `${what}: expected the code ${expected.join(" or ")}, got ${error.code} (${error.message})`;
      throw new AssertionError({ message, actual: error.code, expected });
    }
    if (error.retryable !== (error.code === "unavailable")) {
      throw new AssertionError({
        message: `${what}: the code is ${error.code}, but retryable is ${error.retryable}`,
      });
    }
    return error;
  }
}

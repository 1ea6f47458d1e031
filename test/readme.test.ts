/** The program that README.md shows compiles against the packages as they are. */
import { expect, it } from "vitest";
import { compile } from "./support/compile.ts";
import { read } from "./tidy/repository.ts";

/** What the reader of the README takes for granted. */
const PRELUDE = `
  interface Order { readonly id: string }
  interface Receipt { readonly number: string }
  declare function pay(order: Order): Promise<Receipt>;
  declare function post(receipt: Receipt): Promise<string>;
  declare const order: Order;
`;

it("the README's program compiles", () => {
  const program = /```ts\n([\s\S]*?)```/.exec(read("README.md"))?.[1];
  expect(program, "README.md shows no TypeScript program").toBeDefined();
  expect(compile([`${program}${PRELUDE}`])).toEqual([[]]);
});

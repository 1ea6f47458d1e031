/** Random expressions as trees. Their places in the text are not known, and mean nothing here. */
import fc from "fast-check";
import type { JsonValue } from "../../../../src/protocol/json.ts";
import type {
  BinaryOperator,
  Expression,
  MemberNode,
  UnaryOperator,
} from "../../../../src/sql/syntax/tree.ts";
import { FUNCTIONS } from "./functions.ts";
import { NAMES, scalar, TYPICAL } from "./random-documents.ts";

const NOWHERE = { start: 0, end: 0 } as const;

/** `@p` and `@q` are passed, `@absent` is not. */
export const PARAMETERS = ["@p", "@q", "@absent"] as const;

export function identifier(name: string): Expression {
  return { kind: "identifier", name, ...NOWHERE };
}

export function call(name: string, args: readonly Expression[]): Expression {
  return { kind: "call", name, args, ...NOWHERE };
}

function not(operand: Expression): Expression {
  return { kind: "unary", operator: "NOT", operand, ...NOWHERE };
}

const literal: fc.Arbitrary<Expression> = fc
  .oneof({ arbitrary: scalar, weight: 15 }, fc.constant(undefined))
  .map(literalOf);

function literalOf(value: JsonValue | undefined): Expression {
  return { kind: "literal", value, ...NOWHERE };
}

const parameter: fc.Arbitrary<Expression> = fc
  .constantFrom(...PARAMETERS)
  .map((name) => ({ kind: "parameter", name, ...NOWHERE }));

/** Most of them names of properties. */
const step = fc.oneof(
  { arbitrary: fc.constantFrom<string | number>(...NAMES), weight: 8 },
  fc.constantFrom<string | number>(0, 1, "id", "x"),
);

/** A path from the document, mostly of one step. */
export const path: fc.Arbitrary<Expression> = fc
  .oneof(
    { arbitrary: fc.array(step, { maxLength: 1, minLength: 1 }), weight: 4 },
    fc.array(step, { maxLength: 3 }),
  )
  .map((indexes) => indexes.reduce<Expression>(member, identifier("c")));

export function member(object: Expression, value: string | number): MemberNode {
  return { kind: "member", object, index: { kind: "literal", value, ...NOWHERE }, ...NOWHERE };
}

const COMPARISONS: readonly BinaryOperator[] = ["=", "!=", "<", "<=", ">", ">="];
const BINARY: readonly BinaryOperator[] = [...COMPARISONS, ...(["+", "-", "*"] as const)];
const UNARY: readonly UnaryOperator[] = ["NOT", "NOT", "-", "+"];
const PATTERNS = ["%", "a%", "%b", "_", "a_", "", "%a%", "é", "A"];

/** Builds expressions; what was built for a depth is built once. */
export class RandomExpressions {
  readonly #built = new Map<number, fc.Arbitrary<Expression>>();
  readonly #conditions = new Map<number, fc.Arbitrary<Expression>>();

  /** @param depth Levels of operators. */
  over(depth: number): fc.Arbitrary<Expression> {
    const built = this.#built.get(depth) ?? (depth === 0 ? this.#leaf() : this.#node(depth));
    this.#built.set(depth, built);
    return built;
  }

  /** Expressions that are true or false more often than not, for filters. */
  conditions(depth: number): fc.Arbitrary<Expression> {
    const built = this.#conditions.get(depth) ?? this.#condition(depth);
    this.#conditions.set(depth, built);
    return built;
  }

  #condition(depth: number): fc.Arbitrary<Expression> {
    const simple = fc.oneof(
      { arbitrary: this.#typical(), weight: 12 },
      {
        arbitrary: this.#comparison(path, fc.oneof({ arbitrary: literal, weight: 3 }, parameter)),
        weight: 4,
      },
      { arbitrary: this.#comparison(this.#leaf(), this.#leaf()), weight: 2 },
      { arbitrary: this.#predicate(path, literal), weight: 2 },
      this.#predicate(this.#leaf(), this.#leaf()),
      { arbitrary: this.#call(path, literal), weight: 3 },
    );
    if (depth === 0) return simple;
    const inner = this.conditions(depth - 1);
    const negated = fc.oneof(this.#typical(), inner);
    return fc.oneof(
      { arbitrary: simple, weight: 6 },
      { arbitrary: negated.map(not), weight: 6 },
      { arbitrary: this.#logical(inner), weight: 4 },
      this.over(depth),
    );
  }

  #leaf(): fc.Arbitrary<Expression> {
    return fc.oneof({ arbitrary: path, weight: 4 }, { arbitrary: literal, weight: 2 }, parameter);
  }

  #node(depth: number): fc.Arbitrary<Expression> {
    const inner = this.over(depth - 1);
    const leaf = this.#leaf();
    return fc.oneof(
      { arbitrary: leaf, weight: 2 },
      { arbitrary: this.conditions(depth - 1), weight: 5 },
      { arbitrary: this.#logical(inner), weight: 2 },
      fc
        .tuple(fc.constantFrom(...BINARY), inner, inner)
        .map(
          ([operator, left, right]): Expression => ({ kind: "binary", operator, left, right, ...NOWHERE }),
        ),
      fc
        .tuple(fc.constantFrom(...UNARY), inner)
        .map(([operator, operand]): Expression => ({ kind: "unary", operator, operand, ...NOWHERE })),
      this.#predicate(leaf, leaf),
      this.#call(inner, inner),
      fc.array(inner, { maxLength: 3 }).map((items): Expression => ({ kind: "array", items, ...NOWHERE })),
      fc.tuple(inner, inner).map(([a, b]): Expression => {
        return {
          kind: "object",
          entries: [
            { name: "a", value: a },
            { name: "b", value: b },
          ],
          ...NOWHERE,
        };
      }),
      fc
        .tuple(path, inner)
        .map(([object, index]): Expression => ({ kind: "member", object, index, ...NOWHERE })),
    );
  }

  #comparison(first: fc.Arbitrary<Expression>, second: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
    return fc
      .tuple(fc.constantFrom(...COMPARISONS), first, second, fc.boolean())
      .map(([operator, one, other, isMirrored]) => {
        const [left, right] = isMirrored ? [other, one] : [one, other];
        return { kind: "binary", operator, left, right, ...NOWHERE };
      });
  }

  /** Makes conditions on a property of the document, with values that it mostly has. */
  #typical(): fc.Arbitrary<Expression> {
    const tests = NAMES.filter((name) => name !== "list").map((name) => {
      const subject = fc.constant(member(identifier("c"), name));
      return this.#test(subject, TYPICAL[name].map(literalOf));
    });
    return fc.oneof(...tests);
  }

  #test(subject: fc.Arbitrary<Expression>, constant: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
    const prefix = fc.tuple(subject, constant).map((args) => call("STARTSWITH", args));
    return fc.oneof(
      { arbitrary: this.#comparison(subject, constant), weight: 4 },
      { arbitrary: this.#predicate(subject, constant), weight: 2 },
      { arbitrary: prefix, weight: 2 },
    );
  }

  #logical(inner: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
    return fc
      .tuple(fc.constantFrom("AND", "OR"), fc.array(inner, { minLength: 2, maxLength: 4 }))
      .map(([operator, operands]) => ({ kind: "logical", operator, operands, ...NOWHERE }));
  }

  #predicate(subject: fc.Arbitrary<Expression>, other: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
    return fc.oneof(
      fc
        .tuple(subject, fc.array(other, { minLength: 1, maxLength: 4 }))
        .map(([value, items]): Expression => ({ kind: "in", value, items, ...NOWHERE })),
      fc
        .tuple(subject, other, other)
        .map(([value, low, high]): Expression => ({ kind: "between", value, low, high, ...NOWHERE })),
      fc.tuple(subject, fc.constantFrom(...PATTERNS)).map(([value, text]): Expression => {
        return { kind: "like", value, pattern: { kind: "literal", value: text, ...NOWHERE }, ...NOWHERE };
      }),
    );
  }

  #call(subject: fc.Arbitrary<Expression>, other: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
    return fc
      .tuple(fc.constantFrom(...Object.entries(FUNCTIONS)), subject, other)
      .map(([[name, compute], first, second]) => call(name, [first, second].slice(0, compute.length)));
  }
}

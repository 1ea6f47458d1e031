/** Random expressions as trees. Their places in the text are not known, and mean nothing here. */
import fc from "fast-check";
import type { JsonValue } from "../../../../src/protocol/json.ts";
import type {
  BinaryOperator,
  Expression,
  MemberNode,
  Select,
  SubqueryNode,
  UnaryOperator,
} from "../../../../src/sql/syntax/tree.ts";
import { AGGREGATES, FUNCTIONS } from "./functions.ts";
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

/** A path from one of the names: of the document one or two steps, of an element mostly none. */
export function path(names: readonly string[]): fc.Arbitrary<Expression> {
  const paths = names.map((name) => {
    const isDocument = name === "c";
    const steps = fc.oneof(
      { arbitrary: fc.array(step, { maxLength: 1, minLength: isDocument ? 1 : 0 }), weight: 4 },
      fc.array(step, { maxLength: 3 }),
    );
    return fc
      .oneof(
        { arbitrary: fc.constant<(string | number)[]>([]), weight: isDocument ? 0 : 2 },
        { arbitrary: steps, weight: 3 },
      )
      .map((indexes) => indexes.reduce<Expression>(member, identifier(name)));
  });
  return fc.oneof(...paths);
}

export function member(object: Expression, value: string | number): MemberNode {
  return { kind: "member", object, index: { kind: "literal", value, ...NOWHERE }, ...NOWHERE };
}

const COMPARISONS: readonly BinaryOperator[] = ["=", "!=", "<", "<=", ">", ">="];
const BINARY: readonly BinaryOperator[] = [
  ...COMPARISONS,
  ...(["+", "-", "*", "&", "|", "^", "||", "??", "??", "??"] as const),
];
const UNARY: readonly UnaryOperator[] = ["NOT", "NOT", "-", "+", "~"];
const PATTERNS = ["%", "a%", "%b", "_", "a_", "", "%a%", "é", "A"];

type Names = readonly string[];

/** Builds expressions over sets of names; what was built for a set and a depth is built once. */
export class RandomExpressions {
  readonly #built = new Map<string, fc.Arbitrary<Expression>>();
  readonly #conditions = new Map<string, fc.Arbitrary<Expression>>();
  #aliases = 0;

  /** @param depth Levels of operators. */
  over(names: Names, depth: number): fc.Arbitrary<Expression> {
    const key = `${names.join()} ${depth}`;
    const built = this.#built.get(key) ?? (depth === 0 ? this.#leaf(names) : this.#node(names, depth));
    this.#built.set(key, built);
    return built;
  }

  /** Expressions that are true or false more often than not, for filters. */
  conditions(names: Names, depth: number): fc.Arbitrary<Expression> {
    const key = `${names.join()} ${depth}`;
    const built = this.#conditions.get(key) ?? this.#condition(names, depth);
    this.#conditions.set(key, built);
    return built;
  }

  #condition(names: Names, depth: number): fc.Arbitrary<Expression> {
    const simple = fc.oneof(
      { arbitrary: this.#typical(names), weight: 12 },
      {
        arbitrary: this.#comparison(path(names), fc.oneof({ arbitrary: literal, weight: 3 }, parameter)),
        weight: 4,
      },
      { arbitrary: this.#comparison(this.#leaf(names), this.#leaf(names)), weight: 2 },
      { arbitrary: this.#predicate(path(names), literal), weight: 2 },
      this.#predicate(this.#leaf(names), this.#leaf(names)),
      { arbitrary: this.#call(path(names), literal), weight: 3 },
    );
    if (depth === 0) return simple;
    const inner = this.conditions(names, depth - 1);
    const negated = fc.oneof(this.#typical(names), inner, this.#subquery(names, depth));
    return fc.oneof(
      { arbitrary: simple, weight: 6 },
      { arbitrary: negated.map(not), weight: 6 },
      { arbitrary: this.#logical(inner), weight: 4 },
      this.#subquery(names, depth),
      this.over(names, depth),
    );
  }

  #leaf(names: Names): fc.Arbitrary<Expression> {
    return fc.oneof({ arbitrary: path(names), weight: 4 }, { arbitrary: literal, weight: 2 }, parameter);
  }

  #node(names: Names, depth: number): fc.Arbitrary<Expression> {
    const inner = this.over(names, depth - 1);
    const leaf = this.#leaf(names);
    return fc.oneof(
      { arbitrary: leaf, weight: 2 },
      { arbitrary: this.conditions(names, depth - 1), weight: 5 },
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
      fc.tuple(inner, inner, inner).map(([condition, then, otherwise]): Expression => {
        return { kind: "conditional", condition, then, otherwise, ...NOWHERE };
      }),
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
        .tuple(path(names), inner)
        .map(([object, index]): Expression => ({ kind: "member", object, index, ...NOWHERE })),
      this.#subquery(names, depth),
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

  /** Makes conditions on a property of the document, or an element of its list, with values that it mostly has. */
  #typical(names: Names): fc.Arbitrary<Expression> {
    const tests = NAMES.filter((name) => name !== "list").map((name) => {
      const subject = fc.constant(member(identifier("c"), name));
      return this.#test(subject, TYPICAL[name].map(literalOf));
    });
    const elements = names.filter((name) => name !== "c").map((name) => fc.constant(identifier(name)));
    return fc.oneof(...tests, ...elements.map((subject) => this.#test(subject, literal)));
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

  /** Draws a subquery over the elements of an array of the row around it. */
  #subquery(names: Names, depth: number): fc.Arbitrary<Expression> {
    this.#aliases += 1;
    const alias = `y${this.#aliases}`;
    const inside = fc.oneof(
      { arbitrary: fc.constant(identifier(alias)), weight: 2 },
      { arbitrary: path([alias]), weight: 1 },
      { arbitrary: this.over([alias, ...names], depth - 1), weight: 3 },
    );
    const aggregate = fc
      .tuple(fc.constantFrom(...Object.keys(AGGREGATES)), path([alias]))
      .map(([name, argument]) => call(name, [argument]));
    const orderBy = fc.array(fc.record({ expression: inside, descending: fc.boolean() }), { maxLength: 2 });
    return fc
      .record({
        form: fc.constantFrom<SubqueryNode["form"]>("exists", "array", "scalar"),
        expression: fc.oneof(inside, aggregate),
        of: fc.oneof({ arbitrary: fc.constant(member(identifier("c"), "list")), weight: 3 }, path(names)),
        where: fc.option(this.conditions([alias, ...names], depth - 1), { nil: undefined }),
        distinct: fc.boolean(),
        order: orderBy,
        top: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      })
      .map(({ form, expression, of, where, distinct, order, top }): Expression => {
        const isAggregate = expression.kind === "call" && Object.hasOwn(AGGREGATES, expression.name);
        const select: Select = {
          distinct,
          projection: { kind: "value", expression },
          from: { source: { of, alias, iterate: true, ...NOWHERE }, joins: [] },
          ...(where !== undefined && { where }),
          ...(top !== undefined && { top: { kind: "count", value: top, ...NOWHERE } }),
          groupBy: [],
          orderBy: isAggregate ? [] : order,
          ...NOWHERE,
        };
        return { kind: "subquery", form, select, ...NOWHERE };
      });
  }
}

/** The public members of the API reference, and the example that each is shown with. */
import {
  Comment,
  type CommentDisplayPart,
  CommentTag,
  type Context,
  type DeclarationReflection,
  type Reflection,
  ReflectionKind,
} from "typedoc";
import ts from "typescript";
import { type Example, ExampleFinder, packageOf } from "./example-finder.ts";
import type { Sources } from "./sources.ts";
import { basesOf, typesNamedBy } from "./uses.ts";

const KINDS =
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.TypeAlias |
  ReflectionKind.Function |
  ReflectionKind.Variable |
  ReflectionKind.Method |
  ReflectionKind.Property |
  ReflectionKind.Accessor |
  ReflectionKind.Constructor;

const TYPES = ReflectionKind.Interface | ReflectionKind.TypeAlias | ReflectionKind.Class;

/** Members that no example needs to name. */
const WITHOUT_EXAMPLE: readonly (readonly [name: RegExp, reason: string])[] = [
  [/(Error|Refused)\.(name|duroxide)$/, "the name and the mark of an error class say only which class it is"],
  [/\.~(output|types|declared)$|\.NotStorable\.|\.Stored\.stored$/, "only the compiler has values of it"],
  [/\.DocumentPayloads\./, "a name of a type; each document is shown by DocumentOf"],
  [/\.Admin\.constructor$/, "the client makes it"],
  [/\.JsonText\.toJSON$/, "it throws, for codecs that would take the text apart"],
];

function needsExample(name: string): boolean {
  return !WITHOUT_EXAMPLE.some(([pattern]) => pattern.test(name));
}

interface Member {
  readonly reflection: DeclarationReflection;
  readonly declarations: readonly ts.Declaration[];
  /** Declarations of the interface whose member this is. */
  readonly implemented: readonly ts.Declaration[];
}

/** Returns the names of the members for which there is no example, and the programs that examples are from. */
export function addExamples(
  root: string,
  context: Context,
  sources: Sources,
): { readonly without: readonly string[]; readonly files: readonly string[] } {
  const [program] = context.programs;
  if (program === undefined) return { without: [], files: [] };
  const checker = program.getTypeChecker();
  const finder = new ExampleFinder(root, program);
  const members = membersOf(context);
  const ownerOf = (example: Example): DeclarationReflection | undefined =>
    members.find(({ declarations }) => declarations.some((each) => hasDocstring(root, each, example)))
      ?.reflection;
  const files = new Set<string>();
  const give = (
    list: readonly Member[],
    exampleOf: (member: Member) => Example | undefined,
  ): readonly Member[] =>
    list.filter((member) => {
      const example = exampleOf(member);
      if (example === undefined) return true;
      if (example.shown.address.startsWith("files/")) files.add(example.shown.file);
      addExample(member.reflection, example, ownerOf(example));
      return false;
    });
  const ofUse = ({ declarations, implemented }: Member): Example | undefined =>
    finder.exampleOf(declarations) ??
    finder.exampleOf([...implemented, ...declarations.flatMap((each) => basesOf(checker, each))]);

  finder.add(sources.shown);
  const unused = give(
    members.filter(({ reflection }) => !hasExample(reflection)),
    ofUse,
  );
  finder.addNamed(sources.further, new Set(unused.map(({ reflection }) => reflection.name)));
  const unnamed = give(unused, ofUse);
  // A type that no code names is shown where one of its members is used, or a member that takes or returns it.
  const users = Map.groupBy(
    members.flatMap((user) =>
      user.declarations.flatMap((each) => [
        ...typesNamedBy(checker, each).map((type) => ({ type, user })),
        { type: ts.isTypeLiteralNode(each.parent) ? each.parent.parent : each.parent, user },
      ]),
    ),
    ({ type }) => type,
  );
  const without = give(unnamed, ({ reflection, declarations }) => {
    if (!reflection.kindOf(TYPES)) return undefined;
    const near = declarations
      .flatMap((each) => users.get(each) ?? [])
      .flatMap(({ user }) => user.declarations);
    return finder.exampleOf(near);
  });
  return {
    without: without.map(({ reflection }) => nameOf(reflection)).filter(needsExample),
    files: [...files],
  };
}

function membersOf(context: Context): readonly Member[] {
  const all = context.project.getReflectionsByKind(KINDS) as DeclarationReflection[];
  return all
    .filter((each) => !isWithinMember(each))
    .map((reflection) => ({
      reflection,
      declarations: declarationsOf(context, reflection),
      implemented: implementedBy(reflection).flatMap((each) => declarationsOf(context, each)),
    }))
    .filter(({ declarations }) => declarations.length > 0);
}

/** Whether it is part of the type of a property or a parameter, which is shown by the whole. */
function isWithinMember({ parent }: DeclarationReflection): boolean {
  for (let at: Reflection | undefined = parent; at !== undefined; at = at.parent) {
    if (at.kindOf(ReflectionKind.SomeSignature | ReflectionKind.Parameter)) return true;
    const isOfAlias = at.parent?.kindOf(ReflectionKind.TypeAlias) === true;
    if (at.kindOf(ReflectionKind.TypeLiteral) && !isOfAlias) return true;
  }
  return false;
}

function implementedBy(member: DeclarationReflection): readonly DeclarationReflection[] {
  const signatures = member.signatures ?? [];
  return [member, ...signatures].flatMap(({ implementationOf }) => {
    const target = implementationOf?.reflection;
    const found = target?.isSignature() ? target.parent : target;
    return found?.isDeclaration() ? [found] : [];
  });
}

/** Declarations in the packages: a member that is inherited of a library has none. */
function declarationsOf(context: Context, member: DeclarationReflection): readonly ts.Declaration[] {
  const declarations = context.getSymbolFromReflection(member)?.declarations ?? [];
  const ours = declarations.filter((each) => packageOf(each.getSourceFile().fileName) !== undefined);
  // A constructor that nobody calls is shown by its class.
  return ours.flatMap((each) => (ts.isConstructorDeclaration(each) ? [each, each.parent] : [each]));
}

function hasExample(member: DeclarationReflection): boolean {
  const signatures = [...(member.signatures ?? []), member.getSignature, member.setSignature];
  const comments = [member.comment, ...signatures.map((each) => each?.comment)];
  return comments.some((comment) => comment?.getTag("@example") !== undefined);
}

function addExample(
  member: DeclarationReflection,
  { code, shown }: Example,
  owner: DeclarationReflection | undefined,
): void {
  const link: CommentDisplayPart[] =
    owner === undefined
      ? [{ kind: "text", text: `[${shown.title}](../../${shown.address})` }]
      : [{ kind: "inline-tag", tag: "@link", text: nameOf(owner), target: owner }];
  const place = member.signatures?.[0] ?? member.getSignature ?? member;
  place.comment ??= new Comment();
  place.comment.blockTags.push(
    new CommentTag("@example", [
      { kind: "code", text: `\`\`\`ts\n${code}\n\`\`\`` },
      { kind: "text", text: "\n\nUsed in " },
      ...link,
      { kind: "text", text: "." },
    ]),
  );
}

/** Whether the example stands in the docstring of the declaration. */
function hasDocstring(root: string, declaration: ts.Declaration, { shown: { owner } }: Example): boolean {
  if (owner === undefined) return false;
  const source = declaration.getSourceFile();
  if (source.fileName !== `${root.replaceAll("\\", "/")}/${owner.file}`) return false;
  return ts
    .getJSDocCommentsAndTags(declaration)
    .some((each) => each.pos <= owner.place && owner.place < each.end);
}

function nameOf(member: DeclarationReflection): string {
  return member.getFullName().replaceAll(".__type", "");
}

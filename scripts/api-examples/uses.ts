/** Declarations that a piece of code uses, as the compiler resolves it. */
import ts from "typescript";

/** How code uses a declaration: it names it, it calls or writes it through another type, or it has a value of it. */
export type Strength = 0 | 1 | 2 | 3;

export type Note = (declaration: ts.Declaration, node: ts.Node, strength: Strength) => void;

export class Uses {
  readonly #checker: ts.TypeChecker;
  readonly #note: Note;

  constructor(checker: ts.TypeChecker, note: Note) {
    this.#checker = checker;
    this.#note = note;
  }

  /** Notes the uses of members with these names, and what values are of, nowhere: it is much less work. */
  readNamed(source: ts.SourceFile, names: ReadonlySet<string>): void {
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) return;
      this.#readSyntax(node);
      if (isName(node) && names.has(node.text))
        for (const symbol of this.#symbolsOf(node)) this.#noteSymbol(symbol, node, 0);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  /** Notes every use between two places of a file. */
  read(source: ts.SourceFile, from: number, to: number): void {
    const visit = (node: ts.Node): void => {
      if (node.end <= from || node.pos >= to || ts.isImportDeclaration(node)) return;
      if (node.getStart(source) >= from && node.end <= to) this.#readNode(node);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }

  /** `await using` and `for await` call members without a name. */
  #readSyntax(node: ts.Node): void {
    if (
      ts.isVariableDeclarationList(node) &&
      (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing
    )
      for (const each of node.declarations)
        this.#noteUnnamed(this.#checker.getTypeAtLocation(each), "asyncDispose", each);
    if (ts.isForOfStatement(node) && node.awaitModifier !== undefined)
      this.#noteUnnamed(this.#checker.getTypeAtLocation(node.expression), "asyncIterator", node.expression);
  }

  #noteUnnamed(type: ts.Type, symbol: string, node: ts.Node): void {
    const found = type.getProperties().find(({ name }) => name.startsWith(`__@${symbol}@`));
    if (found !== undefined) this.#noteSymbol(found, node, 0);
  }

  #readNode(node: ts.Node): void {
    this.#readSyntax(node);
    if (isName(node)) this.#readName(node);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const declaration = this.#checker.getResolvedSignature(node)?.declaration;
      if (declaration !== undefined) this.#note(declaration, node, 0);
    }
    if (ts.isClassLike(node)) this.#readClass(node);
    if (ts.isExpression(node)) {
      this.#noteType(this.#checker.getTypeAtLocation(node), node, 2);
      const expected = this.#checker.getContextualType(node);
      if (expected !== undefined) this.#noteType(expected, node, ts.isObjectLiteralExpression(node) ? 1 : 2);
    }
  }

  #readName(name: Name): void {
    for (const symbol of this.#symbolsOf(name)) this.#noteSymbol(symbol, name, 0);
    const { parent } = name;
    if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent))
      this.#noteType(this.#checker.getTypeAtLocation(parent), name, 2);
  }

  #symbolsOf(name: Name): readonly ts.Symbol[] {
    const { parent } = name;
    if (ts.isObjectLiteralElementLike(parent) && parent.name === name) {
      const literal = parent.parent;
      const expected = ts.isObjectLiteralExpression(literal)
        ? this.#checker.getContextualType(literal)
        : undefined;
      const own = ts.isShorthandPropertyAssignment(parent)
        ? this.#checker.getShorthandAssignmentValueSymbol(parent)
        : undefined;
      return [
        ...(expected === undefined ? [] : this.#propertiesOf(expected, name.text)),
        ...(own ? [own] : []),
      ];
    }
    if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === name) {
      return this.#propertiesOf(this.#checker.getTypeAtLocation(parent.parent), name.text);
    }
    const symbol = this.#checker.getSymbolAtLocation(name);
    return symbol === undefined ? [] : [symbol];
  }

  /** A property of each part of a union that has one. */
  #propertiesOf(type: ts.Type, name: string): readonly ts.Symbol[] {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => this.#checker.getPropertyOfType(part, name) ?? []);
  }

  #noteSymbol(symbol: ts.Symbol, node: ts.Node, strength: Strength): void {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const target = isAlias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    for (const declaration of target.declarations ?? []) {
      this.#note(declaration, node, strength);
      for (const base of basesOf(this.#checker, declaration)) this.#note(base, node, 1);
    }
  }

  /** A class shows how to implement what it extends or implements. */
  #readClass(node: ts.ClassLikeDeclaration): void {
    for (const member of node.members)
      for (const base of basesOf(this.#checker, member)) this.#note(base, member, 0);
    for (const clause of node.heritageClauses ?? [])
      for (const type of clause.types) this.#noteType(this.#checker.getTypeAtLocation(type), node, 0);
  }

  #noteType(type: ts.Type, node: ts.Node, strength: Strength, depth = 0): void {
    for (const symbol of [type.aliasSymbol, type.getSymbol()])
      for (const declaration of symbol?.declarations ?? []) this.#note(declaration, node, strength);
    if (depth === 2) return;
    if (type.isUnionOrIntersection() && type.types.length < 20)
      for (const part of type.types) this.#noteType(part, node, strength, depth + 1);
    const isReference = (type.flags & ts.TypeFlags.Object) !== 0 && "target" in type;
    const inner = isReference ? this.#checker.getTypeArguments(type as ts.TypeReference) : [];
    for (const each of [...inner, ...(type.aliasTypeArguments ?? [])])
      this.#noteType(each, node, 3, depth + 1);
  }
}

type Name = ts.Identifier | ts.StringLiteral;

/** Whether it is an identifier, or a name in quotes. */
function isName(node: ts.Node): node is Name {
  const isQuoted =
    ts.isStringLiteral(node) && ts.isObjectLiteralElementLike(node.parent) && node.parent.name === node;
  return ts.isIdentifier(node) || isQuoted;
}

/** Declarations of the same member in the types that its class or interface extends or implements. */
export function basesOf(checker: ts.TypeChecker, declaration: ts.Node): readonly ts.Declaration[] {
  const { parent } = declaration;
  if (!ts.isClassElement(declaration) && !ts.isTypeElement(declaration)) return [];
  if (!(ts.isClassLike(parent) || ts.isInterfaceDeclaration(parent))) return [];
  const name = declaration.name?.getText();
  if (name === undefined) return [];
  return (parent.heritageClauses ?? [])
    .flatMap((clause) => clause.types)
    .flatMap((type) => {
      const found = checker.getPropertyOfType(checker.getTypeAtLocation(type), name)?.declarations ?? [];
      return found.flatMap((each) => [each, ...basesOf(checker, each)]);
    });
}

/** Declarations of the types that a declaration names, such as those of its parameters. */
export function typesNamedBy(checker: ts.TypeChecker, declaration: ts.Node): readonly ts.Declaration[] {
  const found: ts.Declaration[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      const symbol = checker.getSymbolAtLocation(name);
      const isAlias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      found.push(...((isAlias ? checker.getAliasedSymbol(symbol) : symbol)?.declarations ?? []));
    }
    if (!ts.isBlock(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration, visit);
  return found;
}

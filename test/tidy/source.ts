/** Questions about TypeScript source that a text search answers wrongly: comments, strings and types are not code. */
import path from "node:path";
import ts from "typescript";
import { read } from "./repository.ts";

export interface Use {
  readonly name: string;
  readonly line: number;
}

/** Finds the uses of these globals in the code of a file, written as `name` or `object.name`. */
export function usesOf(file: string, names: ReadonlySet<string>): Use[] {
  const text = read(file);
  // Most files have none of the words, and parsing is what takes the time.
  if (![...names].some((name) => text.includes(name.replace(/\..*/, "")))) return [];
  const source = parse(file);
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    const name = nameOf(node, source);
    if (name !== undefined && names.has(name)) {
      uses.push({ name, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** A module that a file names: by `import` or `export … from`, of values or of types, or by `import(…)`. */
export interface Import {
  /** Specifier as it is written. */
  readonly specifier: string;
  /** The file, relative to the root of the repository; `undefined` where a package is named. */
  readonly file: string | undefined;
}

export function importsOf(file: string): readonly Import[] {
  const imports = IMPORTS.get(file) ?? readImports(file);
  IMPORTS.set(file, imports);
  return imports;
}

/** Several rules ask for the imports of one file. */
const IMPORTS = new Map<string, readonly Import[]>();

function readImports(file: string): Import[] {
  const found: string[] = [];
  const text = read(file);
  const goesDeeper = /\bimport\s*\(/.test(text);
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    // Only `import(…)` stands within a statement.
    if (goesDeeper) ts.forEachChild(node, visit);
  };
  for (const statement of ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements)
    visit(statement);
  return found.map((specifier) => ({
    specifier,
    file: specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : undefined,
  }));
}

/** The names that a module exports by `export { … } from` and by declarations. */
export function exportsOf(file: string): string[] {
  return parse(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      if (clause === undefined) throw new Error(`${file} has an \`export *\`: name what it exports`);
      return ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [clause.name.text];
    }
    return declaredBy(statement);
  });
}

/** The names that an entry exports and whose declaration, here or in the file that it names, has no comment. */
export function undocumentedIn(entry: string): string[] {
  return exportsOf(entry).filter((name) => !isDocumented(entry, name));
}

function isDocumented(file: string, name: string): boolean {
  const statements = parse(file).statements;
  const declarations = statements.filter((statement) => declaredBy(statement).includes(name));
  if (declarations.length > 0) return declarations.some((it) => ts.getJSDocCommentsAndTags(it).length > 0);
  for (const statement of statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const { exportClause: clause, moduleSpecifier: from } = statement;
    if (clause === undefined || !ts.isNamedExports(clause) || from === undefined) continue;
    const element = clause.elements.find((it) => it.name.text === name);
    if (element === undefined || !ts.isStringLiteral(from)) continue;
    // The other package has an entry of its own, which is checked too.
    if (!from.text.startsWith(".")) return true;
    const target = path.posix.join(path.posix.dirname(file), from.text);
    return isDocumented(target, (element.propertyName ?? element.name).text);
  }
  // A namespace, which its own file describes.
  return true;
}

function declaredBy(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isCall ? node.arguments[0] : undefined;
}

/** The strings of `type name = "a" | "b"` in a file. */
export function membersOfUnion(file: string, name: string): string[] {
  const source = parse(file);
  const alias = source.statements.find(
    (statement): statement is ts.TypeAliasDeclaration =>
      ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
  );
  if (alias === undefined) return [];
  const members = ts.isUnionTypeNode(alias.type) ? [...alias.type.types] : [alias.type];
  return members
    .filter(ts.isLiteralTypeNode)
    .map((member) => member.literal)
    .filter(ts.isStringLiteral)
    .map((literal) => literal.text);
}

function nameOf(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    // The names have two parts; the text of a long chain is not one of them, and costs much.
    return node.getEnd() - node.getStart(source) > 60
      ? undefined
      : node.getText(source).replace(/^globalThis\./, "");
  }
  if (!ts.isIdentifier(node)) return undefined;
  const { parent } = node;
  const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
  const isName = ts.isPropertyAssignment(parent) && parent.name === node;
  return isMember || isName ? undefined : node.text;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
}

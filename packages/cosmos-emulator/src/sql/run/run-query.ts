/** Runs a query on the documents of a scope and gives one page of its results. */
import type { Query } from "../syntax/tree.ts";
import { createTranslator } from "../translate/create-translator.ts";
import { checkGrouping, isGrouped } from "../translate/grouping.ts";
import { raw } from "../translate/sql-text.ts";
import type { Documents, Translator } from "../translate/translator.ts";
import { type Continuation, invalidContinuation, readContinuation } from "./continuation.ts";
import { readDocumentPage, translateDocumentQuery } from "./document-query.ts";
import { readMaterialisedPage, translateMaterialisedQuery } from "./materialised-query.ts";
import { countMatches, measureScan } from "./measure.ts";
import { isOrderByRewrite } from "./query-mark.ts";
import type { QueryOptions, QueryPage, Scope } from "./scope.ts";
import type { Statements } from "./statements.ts";

/**
 * Answers one page of a query. Throws CosmosError 400 for what the query asks and cannot have, and for a continuation
 * that is not one of this query.
 */
export function runQuery(
  statements: Statements,
  query: Query,
  scope: Scope,
  options: QueryOptions,
): QueryPage {
  checkGrouping(query.select);
  const run: Run = {
    statements,
    query,
    options,
    translator: createTranslator(options.parameters),
    documents: documentsOf(scope),
  };
  const after =
    options.continuation === undefined ? undefined : readContinuation(options.continuation, query);
  const page =
    query.select.distinct || isGrouped(query.select)
      ? materialisedPage(run, after)
      : documentPage(run, after);
  const scannedBytes = options.filterIndexed === false ? measureScan(statements, run.documents, after) : 0;
  return { ...page, scannedBytes };
}

interface Run {
  readonly statements: Statements;
  readonly query: Query;
  readonly options: QueryOptions;
  readonly translator: Translator;
  readonly documents: Documents;
}

type Page = Omit<QueryPage, "scannedBytes">;

function documentPage(run: Run, after: Continuation | undefined): Page {
  const { statements, query, options, translator, documents } = run;
  const { select } = query;
  const translated = translateDocumentQuery(query, translator, documents, {
    orderUndefined: options.orderUndefined ?? false,
    reversed: isOrderByRewrite(select) && select.orderBy.some((item) => item.descending),
  });
  const page = readDocumentPage(statements, query, translated, options, after);
  const countsAll = translated.take !== undefined || translated.keys.length > 0;
  if (!countsAll || options.orderCovered === true) return { ...page, matchedRows: page.rows.length };
  return { ...page, matchedRows: after === undefined ? countMatches(statements, run) : 0 };
}

function materialisedPage(run: Run, after: Continuation | undefined): Page {
  const { statements, query, options, translator, documents } = run;
  if (after?.kind === "row") throw invalidContinuation();
  const translated = translateMaterialisedQuery(query, translator, documents, {
    orderUndefined: options.orderUndefined ?? false,
  });
  const page = readMaterialisedPage(statements, query, translated, options, after?.answered ?? 0);
  return { ...page, matchedRows: after === undefined ? countMatches(statements, run) : 0 };
}

function documentsOf(scope: Scope): Documents {
  return {
    table: raw(`${scope.table} AS d`),
    body: "d.body",
    seq: "d.seq",
    conditions: scope.conditions.map((condition) => ({
      text: `(${condition.sql})`,
      values: condition.values,
    })),
  };
}

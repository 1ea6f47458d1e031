/**
 * The facts that the same recordings of the service show beyond the reference (xo/dbimp, `docs/COSMOS.md` and
 * `testdata/cosmos`, the hosted account). Here `quote` says it in our words.
 */
import { type Row, row } from "./row.ts";

export const RECORDED_ROWS = {
  "recorded: syntax error codes": row(
    "SVC",
    "SC1001 near the token, SC1002 for an empty statement, SC1010 for `;`, SC2005 for an unknown function, SC2022 for one alias twice",
  ),
  "recorded: comments": row("SVC", "`--` to the end of the line; `/* */` is a syntax error"),
  "recorded: projections": row(
    "SVC",
    "the order of the statement, missing ones left out; `[a, missing]` gives null; no alias gives `$1`",
  ),
  "recorded: arithmetic": row(
    "SVC",
    "computed numbers are doubles, written with 17 digits and a two-digit exponent",
  ),
  "recorded: parameters": row(
    "SVC",
    "no `@` → 400, twice → 400, unused accepted, absent is undefined; usable in TOP, OFFSET, LIMIT and as a property name",
  ),
  "recorded: page sizes": row("SVC", "absent and 0 → 1000, 5000 and -1 → all in one page, no number → 400"),
  "recorded: query without its header": row(
    "SVC",
    "the content type of a query suffices; with the type of a document it is read as one",
  ),
  "recorded: range header": row(
    "SVC",
    "with a range header the gateway serves an aggregate and repeats the header",
  ),
  "recorded: plans": row(
    "SVC",
    "no list of features → 400; parameters bound; TOP, DISTINCT and projections have no rewritten query",
  ),
  "recorded: functions": row(
    "SVC",
    "a join inside a document, IN, LIKE, a subquery and an array function are served across partitions",
  ),
  "recorded: metrics": row("SVC", "populatequerymetrics gives a list of name=value"),
  "recorded: refused bodies": row("SVC", "no JSON, 1e400, NaN and a document without id → 400"),
  "recorded: NUL": row("SVC", "a NUL inside a string is kept"),
  "recorded: read without key": row("SVC", "a point read without partition key → 400/1001"),
  "recorded: refused containers": row("SVC", "no partition key → 400, a name with `/` → 400"),
  "recorded: paths": row(
    "SVC",
    "an unknown path → 400, `OPTIONS /` → 403, POST to `/docs/$batch` → 405, no authorization → 401",
  ),
  "recorded: consistency": row("SVC", "a level stronger than the account's → 400"),
  "recorded: not atomic": row(
    "SVC",
    "atomic False with continue-on-error True: 207, the valid ones are written",
  ),
} as const satisfies Readonly<Record<string, Row>>;

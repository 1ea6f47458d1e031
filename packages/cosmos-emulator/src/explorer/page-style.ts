/** The look of the page: two colour schemes, one accent, no motion. */
export const PAGE_STYLE: string = `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --raised: #f5f6f8;
  --line: #d9dce1;
  --text: #1c2128;
  --quiet: #5c6570;
  --accent: #2563a8;
  --on-accent: #ffffff;
  --bad: #b3261e;
  --mark: #ffe0dc;
  --code: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16191d;
    --raised: #1f2329;
    --line: #363c45;
    --text: #e4e7eb;
    --quiet: #9aa4b0;
    --accent: #78b0ee;
    --on-accent: #10151b;
    --bad: #ff8a80;
    --mark: #5c2a26;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  grid-template: auto 1fr / 16rem minmax(0, 1fr);
  grid-template-areas: "bar bar" "side main";
  background: var(--ground);
  color: var(--text);
  font: 14px/1.5 system-ui, sans-serif;
}
h1, h2 { margin: 0; font-size: 1rem; font-weight: 600; }
h1 { font-size: 1.15rem; }
p { margin: 0.5rem 0; max-width: 42rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.bar {
  grid-area: bar;
  display: flex;
  align-items: center;
  gap: 2rem;
  padding: 0 1rem;
  border-bottom: 1px solid var(--line);
  background: var(--raised);
}
.bar .name { color: inherit; font-weight: 600; padding: 0.7rem 0; }
.bar nav, .sections { display: flex; gap: 1.25rem; }
.bar nav a, .sections a { padding: 0.7rem 0 calc(0.7rem - 2px); border-bottom: 2px solid transparent; color: var(--quiet); }
.bar nav a[aria-current], .sections a[aria-current] { color: var(--text); border-color: var(--accent); }

.side { grid-area: side; padding: 1rem; border-right: 1px solid var(--line); overflow-wrap: anywhere; }
.tree, .tree ul { list-style: none; margin: 0; padding: 0; }
.tree > li { margin-top: 0.75rem; }
.database { color: var(--quiet); }
.tree a { display: block; padding: 0.2rem 0.6rem; border-radius: 4px; color: inherit; }
.tree a[aria-current] { background: var(--raised); box-shadow: inset 2px 0 var(--accent); font-weight: 600; }

main { grid-area: main; padding: 0.75rem 1.25rem 2rem; }
main:focus { outline: none; }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem; margin-bottom: 0.75rem; }
main > div > .heading { border-bottom: 1px solid var(--line); min-height: 2.8rem; align-items: center; }
.side .heading { justify-content: space-between; margin: 0; }

.actions { display: flex; flex-wrap: wrap; align-items: end; gap: 0.6rem; margin: 0.75rem 0; }
.field { display: flex; flex-direction: column; gap: 0.2rem; min-width: 0; }
.field .label, .hint { color: var(--quiet); font-size: 0.85rem; }
.field:has([type="checkbox"]) { flex-direction: row-reverse; align-items: center; gap: 0.4rem; padding: 0.35rem 0; }
input, textarea, select, button {
  font: inherit;
  color: inherit;
  background: var(--ground);
  border: 1px solid var(--line);
  border-radius: 4px;
  padding: 0.35rem 0.6rem;
}
input[type="checkbox"] { accent-color: var(--accent); }
input[type="number"] { width: 6rem; }
input[type="search"] { width: 18rem; }
textarea { width: 100%; resize: vertical; }
.code, pre { font-family: var(--code); font-size: 0.86rem; line-height: 1.45; }
button { background: var(--raised); cursor: pointer; }
button:hover:enabled { border-color: var(--quiet); }
button:disabled { opacity: 0.5; cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.quiet, button.link { border: 0; background: none; color: var(--accent); padding: 0; text-align: left; }
button.link { width: 100%; }
button.quiet:hover, button.link:hover { text-decoration: underline; }

.news { margin: 0; padding: 0.35rem 0; color: var(--quiet); }
.news:empty { padding: 0; }
.error, .bad { color: var(--bad); }
.news.error { color: var(--bad); white-space: pre-wrap; }

.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th { text-align: left; font-weight: 600; font-size: 0.85rem; color: var(--quiet); }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; }
.number { text-align: right; }
td.number, td.time { font-variant-numeric: tabular-nums; white-space: nowrap; }
tr[aria-current] { background: var(--raised); box-shadow: inset 2px 0 var(--accent); }
.documents td:first-child { padding-left: 0.6rem; }
.documents th:first-child { padding-left: 0.6rem; }
td.wide { min-width: 16rem; }
tbody tr:hover { background: var(--raised); }

.documents { display: grid; grid-template-columns: minmax(16rem, 2fr) 3fr; gap: 1.75rem; align-items: start; }
.documents:has(.document[hidden]) { grid-template-columns: 1fr; }
.beside { display: grid; grid-template-columns: 2fr 1fr; gap: 1rem; }
pre {
  margin: 0.5rem 0 1.25rem;
  padding: 0.75rem;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 4px;
  overflow: auto;
  max-height: 32rem;
}
mark { background: var(--mark); color: var(--bad); text-decoration: underline wavy; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.3rem 1.5rem; margin: 0 0 1.25rem; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.document { position: sticky; top: 1rem; }
.properties table { width: auto; min-width: 24rem; }
.properties .table { margin: 0.75rem 0 1.25rem; }
[hidden] { display: none; }

@media (max-width: 55rem) {
  body { grid-template: auto auto 1fr / minmax(0, 1fr); grid-template-areas: "bar" "side" "main"; }
  .side { border-right: 0; border-bottom: 1px solid var(--line); }
  .documents, .beside { grid-template-columns: minmax(0, 1fr); }
  .document { order: -1; position: static; }
}
`;

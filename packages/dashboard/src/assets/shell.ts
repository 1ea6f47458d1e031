/** The page without its content, which page/main.ts builds. There is no inline script and no inline style. */
import type { Assets } from "./assets.ts";

/** Data of the page that its script reads. */
export interface ShellData {
  readonly basePath: string;
  readonly title: string;
  /** Whether the dashboard itself has signed the user in. */
  readonly signsOut: boolean;
}

export function shell({ digest, modules }: Assets, { basePath, title, signsOut }: ShellData): string {
  const base = escaped(basePath);
  const assets = `${base}/assets/${digest}`;
  const main = modules.find((name) => /^page\/main\.[jt]s$/.test(name)) ?? "page/main.js";
  const preloads = modules.map((name) => `<link rel="modulepreload" href="${assets}/${name}">`);
  return `<!doctype html>
<html lang="en" data-base="${base}" data-title="${escaped(title)}"${signsOut ? " data-signs-out" : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/style.css">
<link rel="preload" href="${assets}/fonts/inter-latin.woff2" as="font" type="font/woff2" crossorigin>
${preloads.join("\n")}
<script type="module" src="${assets}/${main}"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<p class="begins">The dashboard is loading. If this stays, its files did not arrive, or belong to another version: reload the page.</p>
</body>
</html>
`;
}

/** A small page without script, in the same style. `body` is markup of this package; texts in it are escaped. */
export function plainPage(
  { digest }: Assets,
  basePath: string,
  { head = "", body }: { head?: string; body: string },
): string {
  const assets = `${escaped(basePath)}/assets/${digest}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in</title>
<link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets}/style.css">
${head}
</head>
<body class="plain">
<main class="door">
<img src="${assets}/icon.svg" alt="" width="40" height="40">
${body}
</main>
</body>
</html>
`;
}

export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

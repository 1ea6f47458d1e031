/** The version of Node, against the range of the manifest. It runs on versions that are too old for everything else. */

/** Returns a message if a version is not in a range such as `^22.22.1 || >=24.14`. */
export function nodeFault(version: string, range: string): string | undefined {
  const isIn = range.split(" || ").some((part) => {
    const [major = 0, ...rest] = numbersOf(part);
    const [own = 0, ...ownRest] = numbersOf(version);
    if (own !== major) return own > major && part.startsWith(">=");
    return compare(ownRest, rest) >= 0;
  });
  if (isIn) return undefined;
  const first = range.replaceAll(/[\^>=]/g, "").replaceAll(" || ", ", ");
  return `@duroxide-ts needs Node ${first} or later; this is v${version}`;
}

function numbersOf(text: string): readonly number[] {
  return text
    .replace(/^[\^>=]+/, "")
    .split(".")
    .map(Number);
}

function compare(
  [minor = 0, patch = 0]: readonly number[],
  [least = 0, leastPatch = 0]: readonly number[],
): number {
  return minor === least ? patch - leastPatch : minor - least;
}

/** The oldest Node that has what the stores need: `node:sqlite` without a flag. */
const OLDEST = [22, 13] as const;

/** What to say where this version of Node is too old. Stores would fail with the name of a module that is missing. */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return isNewEnough ? undefined : `duroxide needs Node ${OLDEST.join(".")} or later; this is ${version}`;
}

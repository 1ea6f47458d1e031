/** A flag of a command that is a number, refused where it is none. */
export function numberFlag(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= least) return value;
  throw new TypeError(`--${name} is ${JSON.stringify(text)}; give a number from ${least}`);
}

/** The earliest of some times, of which there may be none. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  const instants = times.filter((atMs) => atMs !== undefined);
  return instants.length === 0 ? undefined : Math.min(...instants);
}

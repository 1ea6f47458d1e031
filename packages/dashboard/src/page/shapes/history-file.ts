/** The name of the file that has the history of an instance. */

/** Leaves out what the name of a file cannot have on some system, and the rest of a long id. */
export function historyFileName(instanceId: string): string {
  const name = instanceId.replaceAll(/[^\w.-]+/g, "_").replace(/^\.+/, "_");
  return `${name.slice(0, 100)}.history.json`;
}

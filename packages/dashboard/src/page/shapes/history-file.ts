/** The name of the file that has the history of an instance. */

/**
 * Leaves out what the name of a file cannot have on some system, and the rest of a long id. What is left out, and upper
 * case, which some systems do not tell from lower case, has its hash, so that different ids have different names.
 */
export function historyFileName(instanceId: string): string {
  const name = instanceId
    .replaceAll(/[^\w.-]+/g, "_")
    .replace(/^\.+/, "_")
    .slice(0, 100);
  const isWhole = name === instanceId && name === name.toLowerCase();
  return `${isWhole ? name : `${name}~${hashOf(instanceId)}`}.history.json`;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** A file name for an instance id, which may be any text. */

const LONGEST = 120;

/** Different ids have different names, also where upper and lower case are the same. */
export function fileNameOf(id: string): string {
  const encoded = [...id]
    .map((character) => (/[a-z0-9._-]/.test(character) ? character : encode(character)))
    .join("");
  return encoded.length <= LONGEST
    ? encoded.replace(/^\./, "%2e")
    : `${encoded.slice(0, LONGEST)}~${hash(id)}`;
}

function encode(character: string): string {
  return [...Buffer.from(character, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** FNV-1a. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text, "utf8"))
    value = ((value ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return value.toString(16);
}

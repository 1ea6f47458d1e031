/** Makes a version 4 UUID of 16 random bytes, whose fixed bits it sets. */
export function uuidOf(bytes: Uint8Array): ReturnType<typeof crypto.randomUUID> {
  const [six = 0, eight = 0] = [bytes[6], bytes[8]];
  bytes[6] = (six & 0x0f) | 0x40;
  bytes[8] = (eight & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const [, ...groups] = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits) ?? [];
  return groups.join("-") as ReturnType<typeof crypto.randomUUID>;
}

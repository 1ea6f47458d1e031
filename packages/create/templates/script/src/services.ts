/** Stand for the systems that you call. */
export const bank = {
  /** A bank charges once for each key, however often it is asked. */
  async charge(cents: number, key: string): Promise<string> {
    console.log(`charging ${cents} cents`);
    return `receipt for ${key}`;
  },
};

export const warehouse = {
  async pack(order: string): Promise<void> {
    console.log(`packing ${order}`);
  },
  async ship(order: string): Promise<string> {
    console.log(`shipping ${order}`);
    return `parcel of ${order}`;
  },
};

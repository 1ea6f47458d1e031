/** Stands for the systems that the tools call. */
export const shop = {
  async find(order: string) {
    console.log(`\n[the shop looks for order ${order}]`);
    return { order, item: "coffee grinder", cents: 4_900, state: "shipped" };
  },
  async refund(order: string, key: string) {
    console.log(`\n[the shop pays order ${order} back, with the key ${key}]`);
    return `Order ${order}: 49.00 paid back.`;
  },
};

/** Stands for the systems around the shop: it notes what it is asked, and refuses what a test names. */
export class Services {
  readonly asked: string[] = [];
  /** Calls that begin so are refused. */
  readonly refused = new Set<string>();

  reserve = (orderId: string): Promise<void> => this.#call(`reserve ${orderId}`);
  release = (orderId: string): Promise<void> => this.#call(`release ${orderId}`);
  /** A second charge with the same key is the first one. */
  charge = (orderId: string, _cents: number, _key: string): Promise<void> => this.#call(`charge ${orderId}`);
  refund = (orderId: string): Promise<void> => this.#call(`refund ${orderId}`);
  cancelLabel = (parcel: string): Promise<void> => this.#call(`cancel label ${parcel}`);
  deleteOldCarts = (): Promise<void> => this.#call("delete old carts");

  async label(parcel: string): Promise<string> {
    await this.#call(`label ${parcel}`);
    return `label-${parcel}`;
  }

  async #call(what: string): Promise<void> {
    this.asked.push(what);
    for (const start of this.refused) if (what.startsWith(start)) throw new Error(`${what}: refused`);
  }
}

export const services = new Services();

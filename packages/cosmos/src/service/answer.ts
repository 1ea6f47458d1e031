/** The result of one request, with the figures that are reported. */
export interface Answer<T> {
  readonly value: T;
  readonly status: number;
  /** Request units. */
  readonly charge: number;
  /** Documents that a query returned. */
  readonly results?: number;
}

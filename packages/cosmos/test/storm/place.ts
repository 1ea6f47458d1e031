/** Where a storm takes place. */
export interface Place {
  readonly connectionString: string;
  readonly database: string;
  readonly container: string;
}

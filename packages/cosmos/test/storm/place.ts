/** Where a storm takes place. */
export interface Place {
  /** Absent where the environment names the account. */
  readonly connectionString?: string;
  readonly database: string;
  readonly container: string;
}

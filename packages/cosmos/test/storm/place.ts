export interface Place {
  readonly connectionString: string;
  readonly database: string;
  readonly container: string;
}

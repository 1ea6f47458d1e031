/** Lets people in where no server around the dashboard does. */

export interface Door {
  /** Answers requests to sign in; `undefined` for all others. `path` is below the base, without a slash in front. */
  answer(request: Request, path: string): Promise<DoorAnswer | undefined>;
  /** The content of the page for those who are not signed in; markup. */
  readonly page: string;
}

export interface DoorAnswer {
  readonly status: number;
  readonly head?: string;
  readonly body: string;
  readonly cookie?: string;
}

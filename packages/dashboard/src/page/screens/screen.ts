/** What every screen is given. */
export interface ScreenProps {
  readonly query: URLSearchParams;
}

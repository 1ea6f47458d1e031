/** Properties of every screen. */
export interface ScreenProps {
  readonly query: URLSearchParams;
}

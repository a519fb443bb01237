/** Options of `density chat` that are not settings. */
export interface ChatOptions {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly yes?: boolean;
  readonly plain?: boolean;
  /** An id, or `true` for the newest session. */
  readonly resume?: string | true;
  readonly from?: string;
}

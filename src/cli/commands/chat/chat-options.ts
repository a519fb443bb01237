/** What `density chat` may be told, settings apart. */
export interface ChatOptions {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly workspace?: string;
  readonly yes?: boolean;
  readonly plain?: boolean;
  /** `true`: the newest. */
  readonly resume?: string | true;
  readonly from?: string;
}

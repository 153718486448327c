/** The receiver of a call or campaign, as stored in its `callback` column. */
export interface CallCallback {
  url: string;
  headers: Record<string, string>;
  /** Statuses that count as success; absent: 200. */
  success?: '200' | '2xx';
  /** Its events; absent: `CALLBACK_EVENTS`. */
  events?: readonly string[];
}

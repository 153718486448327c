/** A refusal with its HTTP status. */
export interface WebRefusal {
  readonly refuse: 401 | 402 | 403 | 404 | 429 | 503;
  readonly reason: string;
}

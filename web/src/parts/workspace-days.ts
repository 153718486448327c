const DAY_MS = 86_400_000;

/** For people: `America/New York`. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

/** The day `YYYY-MM-DD` of an instant in a zone. */
export const dayIn = (zone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: zone,
  }).format(atMs);

/** The day so many days before another. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

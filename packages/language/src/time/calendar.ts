/** Names of a locale's calendar, from Intl. */
const names = (
  locale: string,
  options: Intl.DateTimeFormatOptions,
  count: number,
  day: (at: number) => number,
): readonly string[] => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return Array.from({ length: count }, (_, at) => format.format(day(at)));
};

const cached = (make: (locale: string) => readonly string[]): ((locale: string) => readonly string[]) => {
  const known = new Map<string, readonly string[]>();
  return (locale) => {
    const found = known.get(locale) ?? make(locale);
    known.set(locale, found);
    return found;
  };
};

/** Monday to Sunday. */
export const weekdays = cached((locale) =>
  names(locale, { weekday: 'long' }, 7, (at) => Date.UTC(2026, 0, 5 + at)),
);

/** January to December. */
export const months = cached((locale) =>
  names(locale, { month: 'long' }, 12, (at) => Date.UTC(2026, at, 15)),
);

/** A moment in one zone. */
export interface ZonedTime {
  readonly label: string;
  readonly text: string;
}

const inZone = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(date);

/** The moment for the reader, for the assistant where its zone is another, and in UTC. */
export function zonedTimes(iso: string, reader: string, agent: string | null): readonly ZonedTime[] {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return [];
  const times = [{ label: `Your time, ${reader}`, text: inZone(date, reader) }];
  if (agent !== null && agent !== reader && isZone(agent)) {
    times.push({ label: `Assistant’s time, ${agent}`, text: inZone(date, agent) });
  }
  if (reader !== 'UTC') times.push({ label: 'UTC', text: inZone(date, 'UTC') });
  return times;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

/** The reader's zone; browsers call the one of India by its old name. */
export function readerZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === 'Asia/Calcutta' ? 'Asia/Kolkata' : zone;
}

/** A moment in one zone. */
export interface ZonedTime {
  readonly label: string;
  readonly text: string;
}

const inZone = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(date);

/** The zone under the name that the browser prefers, such as Asia/Calcutta for Asia/Kolkata; null: it is no zone. */
function zoneOf(name: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat(LOCALE, { timeZone: name }).resolvedOptions();
    return /^(?:Etc\/)?(?:UTC|GMT)$/.test(timeZone) ? 'UTC' : timeZone;
  } catch {
    return null;
  }
}

/** The moment for the reader, for the assistant where its zone is another, and in UTC. */
export function zonedTimes(iso: string, reader: string, agent: string | null): readonly ZonedTime[] {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return [];
  const own = zoneOf(reader);
  const other = agent === null ? null : zoneOf(agent);
  const times = [{ label: t('Your time, {reader}', { reader }), text: inZone(date, reader) }];
  if (agent !== null && other !== null && other !== own && other !== 'UTC') {
    times.push({ label: t('Assistant’s time, {agent}', { agent }), text: inZone(date, agent) });
  }
  if (own !== 'UTC') {
    times.push({ label: other === 'UTC' ? t('Assistant’s time, UTC') : 'UTC', text: inZone(date, 'UTC') });
  }
  return times;
}

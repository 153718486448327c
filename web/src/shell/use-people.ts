import { useRead } from '../api/queries.ts';
import { useSettled } from '../ui/use-settled.ts';
import type { Entry } from './palette-entries.ts';
import { findPeople, isSought, MOST_PEOPLE, numberDigits } from './palette-people.ts';

/** The people of this many calls, the last dialled first, are found by a part of their name or number. */
const CALLS_READ = 100;
/** Of a number that is known whole, whose calls the service finds whenever they were. */
const WHOLE_DIGITS = 8;
const ID = /^[0-9a-f]{8}-/i;

/** People of the workspace's calls by a part of their name or number, once the typing rests. */
export function usePeople(text: string): { readonly people: readonly Entry[]; readonly isReading: boolean } {
  const wanted = useSettled(text.trim());
  const isWanted = isSought(wanted) && !ID.test(wanted);
  const digits = numberDigits(wanted);
  const isWhole = digits.length >= WHOLE_DIGITS;
  const latest = useRead('listCalls', { limit: CALLS_READ, dialled: true }, { enabled: isWanted });
  const exact = useRead(
    'listCalls',
    { limit: MOST_PEOPLE, to_number: `+${digits}` },
    { enabled: isWanted && isWhole },
  );
  if (wanted !== text.trim()) return { people: [], isReading: isSought(text.trim()) };
  if (!isWanted) return { people: [], isReading: false };
  const calls = [...(isWhole ? (exact.data?.calls ?? []) : []), ...(latest.data?.calls ?? [])];
  return { people: findPeople(calls, wanted), isReading: latest.isLoading || exact.isLoading };
}

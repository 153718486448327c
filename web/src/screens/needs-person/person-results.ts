/** A result, and where it comes from. */
export interface PersonResult {
  readonly result: string;
  readonly source: string;
}

/** Labels, in small letters, of conversations whose person asked to speak with a person: the service's own, and usual ones. */
const LABELS: ReadonlySet<string> = new Set([
  'human requested',
  'wants human',
  'wants a human',
  'wants a person',
  'needs a person',
  'asked for a person',
  'person requested',
  'agent requested',
  'escalated',
  'escalation',
]);

const plain = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s-]+/g, ' ');

/** The results that mean that somebody must call back. */
export const personResults = <Result extends PersonResult>(results: readonly Result[]): readonly Result[] =>
  results.filter(({ result, source }) => source === 'label' && LABELS.has(plain(result)));

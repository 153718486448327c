interface Counted {
  readonly result: string;
  readonly source: string;
  readonly calls: number;
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

/** The results of a campaign that mean that somebody must call back, with their calls. */
export const personResults = (results: readonly Counted[]): readonly Counted[] =>
  results.filter(({ result, source }) => source === 'label' && LABELS.has(plain(result)));

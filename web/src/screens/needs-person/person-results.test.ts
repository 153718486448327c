import { expect, it } from 'vitest';
import { personResults } from './person-results.ts';

const counted = (result: string, source = 'label') => ({ result, source, calls: 1 });

it('takes the label of the service and usual labels of a workspace', () => {
  const asked = ['Human requested', 'Asked for a person', 'wants_human', ' ESCALATED '].map((text) =>
    counted(text),
  );
  const others = ['Confirmed', 'Transferred', 'Callback requested', 'Not escalated'].map((text) =>
    counted(text),
  );
  expect(personResults([...others, ...asked])).toEqual(asked);
});

it('takes neither the answer to a goal nor the way a call ended', () => {
  expect(personResults([counted('Escalated', 'goal'), counted('Escalated', 'ending')])).toEqual([]);
});

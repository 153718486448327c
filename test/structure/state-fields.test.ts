import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { stateFields } from '../../scripts/state-fields.ts';

const folder = fileURLToPath(new URL('../../packages/turns/src/turn', import.meta.url));

it('keeps the turn machine at 60 fields of state at most', () => {
  const { fields, of } = stateFields(folder);
  expect(fields).toBeLessThanOrEqual(60);
  // The count sees what it counts: the machine patches these records field by field.
  expect(Object.keys(of)).toEqual(expect.arrayContaining(['state', 'caller', 'reply', 'tools']));
});

import { expect, it } from 'vitest';
import { CALL_PURPOSES } from '../../shared/call-purposes.ts';
import { misfit, purposeProblem } from './purpose.ts';

const NUMBER_140 = '+911401234567';
const NUMBER_1600 = '+911600123456';
const ORDINARY = '+919812345678';

const fitting = (number: string) =>
  CALL_PURPOSES.filter((purpose) => purposeProblem(number, purpose) === null);

it('numbers of the series 140 are for promotional calls alone', () => {
  expect(fitting(NUMBER_140)).toEqual(['promotional']);
  expect(purposeProblem(NUMBER_140, 'service')).toBe(
    'is in the series 140, which is for promotional calls, not for service ones',
  );
});

it('a promotional campaign never calls from a number of the series 160 and 1600', () => {
  for (const number of [NUMBER_1600, '+911601234567']) {
    expect(fitting(number)).toEqual(['transactional', 'service']);
    expect(misfit({ number, purpose: null }, 'promotional')).toBe(
      'is in the series 160, which is for transactional and service calls, not for promotional ones',
    );
  }
});

it('other numbers have the purpose that they are given', () => {
  for (const number of [ORDINARY, '+14155550100', '+9114012345', '+14012345678'])
    expect(fitting(number)).toEqual(CALL_PURPOSES);
  expect(misfit({ number: ORDINARY, purpose: 'service' }, 'promotional')).toBe(
    'is for service calls, and the campaign is promotional',
  );
  expect(misfit({ number: ORDINARY, purpose: 'service' }, 'service')).toBeNull();
  expect(misfit({ number: ORDINARY, purpose: null }, 'promotional')).toBeNull();
});

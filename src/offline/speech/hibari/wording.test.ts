import { describe, expect, it } from 'vitest';
import { wordingOf } from './wording.ts';

const wording = wordingOf({
  titles: { St: 'Saint', Dr: 'Dr', Prof: 'Professor' },
  abbreviations: {
    'no.': 'number',
    'vs.': 'versus',
    'St.': 'Street',
    'Dept.': 'Department',
    'approx.': 'approximately',
  },
  units: { km: ['kilometer', 'kilometers'], 'km/h': ['kilometers per hour', 'kilometers per hour'] },
  roman_cardinal: ['Chapter'],
  roman_ordinal: ['Henry'],
});

describe('the wording of the natural voice', () => {
  it.each([
    ['We open at 9:05 AM.', 'We open at nine oh five AM.'],
    ['Come at 2:30 p.m. tomorrow', 'Come at two thirty PM tomorrow'],
    ['The visit is on March 15.', 'The visit is on March fifteenth.'],
    ['on 3/4/2026', 'on March 4th, 2026'],
    ['on the 21 of June', 'on the twenty first of June'],
    ['It costs $1,250.50.', 'It costs 1 thousand 250 dollars and 50 cents.'],
    ['St. Mary is at 5 Oak St.', 'Saint Mary is at 5 Oak Street.'],
    ['Dr. Lee, Dept. of Health', 'Dr Lee, Department of Health'],
    ['1 km at 30 km/h', '1 kilometer at 30 kilometers per hour'],
    ['Henry VIII in Chapter IV', 'Henry the eighth in Chapter 4'],
    ['call 555-1234', 'call 5 5 5 , 1 2 3 4'],
    ['2/3 of them, 1/2 cup', '2 thirds of them, one half cup'],
    ['3-4 days', '3 to 4 days'],
    ['write to ann.lee@example.com', 'write to ann dot lee at example dot com'],
    ['see https://www.example.com/help or a-b.co', 'see example dot com slash help or a-b dot co'],
    ['it is 98.6 degrees F.', 'it is 98 point 6 degrees Fahrenheit.'],
    ['3 1/2 miles', '3 and one half miles'],
    ['plan B.', 'plan B .'],
    ['that is S-M-I-T-H', 'that is S, M, I, T, H'],
    ['Room No. 4, #7', 'Room number 4, number 7'],
  ])('%j is read %j', (written, read) => {
    expect(wording(written)).toBe(read.replace(' ,', ','));
  });

  it('leaves words that are like abbreviations', () => {
    expect(wording('He said no. I may go in may, vs them')).toBe('He said no. I may go in may, vs them');
  });
});

import { describe, expect, it } from 'vitest';
import { checkDetail, trunkFault } from './check-details.ts';

describe('what a check found', () => {
  it('is a sentence for each note', () => {
    expect(checkDetail('trunk acme is not registered; trunk b: the registrar answers 503')).toBe(
      'Trunk acme is not registered; trunk b: the registrar answers 503',
    );
    expect(checkDetail("this host's clock is 4 s ahead, the database's clock is 3 s behind")).toBe(
      'The clock of this machine is 4 s ahead, the clock of the database is 3 s behind',
    );
  });

  it('names the part, the vendor and the time of a fault', () => {
    const detail =
      'language model openai: the API key is refused (status 401), 3 times, last at 2026-05-01T09:30:00.000Z';
    expect(checkDetail(detail)).toMatch(
      /^Language model \(openai\): the API key is refused \(status 401\), 3 times, last at .*2026/,
    );
    expect(checkDetail('recogniser vosk: no answer in time, once, last at 2026-05-01T09:30:00.000Z')).toMatch(
      /^Recognition \(vosk\): no answer in time, once, at /,
    );
  });

  it('stays where the page does not know it', () => {
    expect(checkDetail('the moon is full')).toBe('The moon is full');
    expect(trunkFault('busy')).toBe('busy');
  });
});

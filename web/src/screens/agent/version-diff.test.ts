import { describe, expect, it } from 'vitest';
import type { Version } from './types.ts';
import { diffLines, diffVersions } from './version-diff.ts';

const version = (over: object): Version =>
  ({
    version_id: 'a',
    call_traffic: 100,
    language: 'en-US',
    agent_config: {
      agent_prompt: 'x',
      prompt_sections: [{ section_title: 'Objective', section_content: 'Ask.\nListen.' }],
      vocab: ['a'],
    },
    ...over,
  }) as unknown as Version;

describe('diffVersions', () => {
  it('names only the fields that differ, with the lines side by side', () => {
    const other = version({
      version_id: 'b',
      call_traffic: 0,
      language: 'en-IN',
      agent_config: {
        agent_prompt: 'y',
        prompt_sections: [
          { section_title: 'Objective', section_content: 'Ask.\nWait.' },
          { section_title: 'FAQs', section_content: 'None.' },
        ],
        vocab: ['a'],
      },
    });
    expect(diffVersions(version({}), other)).toEqual([
      { field: 'language', lines: [{ left: 'en-US', right: 'en-IN', isSame: false }] },
      {
        field: 'Section “Who it is and what it wants”',
        lines: [
          { left: 'Ask.', right: 'Ask.', isSame: true },
          { left: 'Listen.', right: 'Wait.', isSame: false },
        ],
      },
      { field: 'Section “Questions and answers”', lines: [{ left: null, right: 'None.', isSame: false }] },
    ]);
    expect(diffVersions(other, other)).toEqual([]);
  });
});

describe('diffLines', () => {
  it('aligns common lines around an insertion and a deletion', () => {
    expect(diffLines(['a', 'b', 'c'], ['a', 'x', 'y', 'c', 'd'])).toEqual([
      { left: 'a', right: 'a', isSame: true },
      { left: 'b', right: 'x', isSame: false },
      { left: null, right: 'y', isSame: false },
      { left: 'c', right: 'c', isSame: true },
      { left: null, right: 'd', isSame: false },
    ]);
  });

  it('shows very long texts whole', () => {
    const long = Array.from({ length: 600 }, (_, index) => String(index));
    expect(diffLines(long, long).every((line) => !line.isSame)).toBe(true);
  });
});

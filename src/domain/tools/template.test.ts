import { describe, expect, it } from 'vitest';
import { substitute } from './template.ts';

describe('substitute', () => {
  it('replaces both forms of a variable, once, and unknown ones by nothing', () => {
    const text = '@{{ a }}/{{a}}/{{\tb }}/{{toString}}/{{ }}/{{}}/{{{a}}}/{{a';
    expect(substitute(text, { a: '{{b}}', b: '$&' })).toBe('{{b}}/{{b}}/$&//{{ }}/{{}}/{{{b}}}/{{a');
  });

  it('puts the fallback of the text where a variable has no value or a blank one', () => {
    expect(substitute('{{day|any day}}, @{{ day | soon }}', {})).toBe('any day, soon');
    expect(substitute('{{day|any day}}', { day: ' ' })).toBe('any day');
    expect(substitute('{{day|any day}}', { day: 'Monday' })).toBe('Monday');
  });

  it.each(['{{', '{{ a', '@{{\n'])('scans 40,000 blanks after %j in linear time', (open) => {
    const before = process.threadCpuUsage();
    const text = `${open}${' '.repeat(40_000)}`;
    expect(substitute(text, {})).toBe(text);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});

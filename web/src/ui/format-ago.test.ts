import { describe, expect, it } from 'vitest';
import { formatAgo } from './format-ago.ts';

const NOW = new Date(2026, 10, 28, 15, 0).getTime();

describe('a past moment', () => {
  it('is said in minutes under an hour', () => {
    expect(formatAgo(NOW - 5_000, NOW)).toBe('now');
    expect(formatAgo(NOW - 5 * 60_000, NOW)).toMatch(/^5 min/);
  });

  it('is said by its day and clock later on', () => {
    expect(formatAgo(new Date(2026, 10, 28, 9, 5).getTime(), NOW)).toMatch(/^Today .*9:05/);
    expect(formatAgo(new Date(2026, 10, 27, 23, 5).getTime(), NOW)).toMatch(
      /^Yesterday .*11:05|^Yesterday .*23:05/,
    );
    expect(formatAgo(new Date(2026, 10, 20, 9, 5).getTime(), NOW)).toMatch(/20/);
  });
});

import { describe, expect, it } from 'vitest';
import {
  duplicateTitles,
  failuresThatCount,
  FORGIVEN_DAYS,
  KNOWN_FLAKES,
} from '../../scripts/test-results.ts';

const NOW = Date.UTC(2026, 0, 20);
const FAILURE = 'test/calls/a.test.ts: a call > ends\nexpected 1, got 2';
const flake = { test: 'test/calls/a.test.ts: a call > ends', cause: 'unknown', since: '2026-01-15' };

describe('a test that fails beside others and passes alone', () => {
  it('fails the run', () => {
    expect(failuresThatCount([FAILURE], [], NOW, [])).toEqual([FAILURE]);
  });

  it('is forgiven if the list of known flakes names it with a recent date', () => {
    expect(failuresThatCount([FAILURE], [], NOW, [flake])).toEqual([]);
    const old = { ...flake, since: new Date(NOW - FORGIVEN_DAYS * 86_400_000).toISOString() };
    expect(failuresThatCount([FAILURE], [], NOW, [old])).toEqual([FAILURE]);
  });

  it('is not forgiven if it fails alone, too', () => {
    expect(failuresThatCount([FAILURE], [FAILURE], NOW, [flake])).toEqual([FAILURE]);
  });
});

it('no flake is known', () => {
  expect(KNOWN_FLAKES).toEqual([]);
});

it('names each title that two tests of a file share, once', () => {
  expect(duplicateTitles(['a > b', 'a > c', 'a > b', 'a > b'])).toEqual(['a > b']);
  expect(duplicateTitles(['a > b', 'a > c'])).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { differences, unproved } from '../statements/proofs.ts';

const test = (name: string, status: string | null) => ({ file: 'test/a.test.ts', name, status });

describe('a proof elsewhere', () => {
  const proof = 'test/a.test.ts > charges once';

  it('holds when every test of its title passed', () => {
    const ran = [test('a call charges once', 'passed'), test('a call charges once, also twice', 'passed')];
    expect(unproved([proof], ran, [])).toEqual([]);
  });

  it.each([
    ['failed', 'failed'],
    ['was skipped', 'skipped'],
    ['is to be written', 'todo'],
  ])('does not hold when a test of its title %s', (_, status) => {
    const ran = [test('a call charges once', 'passed'), test('an attempt charges once', status)];
    expect(unproved([proof], ran, [])).toEqual([`${proof}: "an attempt charges once" is ${status}`]);
  });

  it('does not hold when its file ran without such a test, whatever is listed', () => {
    const listed = [test('a call charges once', null)];
    expect(unproved([proof], [test('another', 'passed')], listed)).toEqual([
      `${proof}: no test has this title`,
    ]);
  });

  it('has to have its title when its file did not run', () => {
    expect(unproved([proof], [], [test('a call charges once', null)])).toEqual([]);
    expect(unproved([proof], [], [test('another', null)])).toEqual([`${proof}: no test has this title`]);
  });

  it('may be a whole file', () => {
    expect(unproved(['test/a.test.ts'], [test('one', 'passed'), test('two', 'failed')], [])).toHaveLength(1);
    expect(unproved(['test/b.test.ts'], [test('one', 'passed')], [])).toHaveLength(1);
  });
});

it('a statement that is removed, changed or new differs from the kept ones', () => {
  expect(differences(['one', 'two'], ['one', 'two'])).toEqual([]);
  expect(differences(['one', 'two'], ['one', 'three'])).toEqual(['missing: two', 'not in kept.json: three']);
});

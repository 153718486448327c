import { expect, it } from 'vitest';
import { readViews, withView } from './saved-views.ts';

it('reads only views, with only filters', () => {
  const stored = [
    { name: 'Failed', filters: { status: 'failed', other: 1 } },
    { name: '', filters: {} },
    null,
    { name: 'x' },
  ];
  expect(readViews(JSON.stringify(stored))).toEqual([{ name: 'Failed', filters: { status: 'failed' } }]);
  expect([readViews('{'), readViews(null), readViews('{}')]).toEqual([[], [], []]);
});

it('replaces a view of the same name, and keeps at most 20', () => {
  const views = Array.from({ length: 20 }, (_, n) => ({ name: `v${n}`, filters: {} }));
  const changed = withView(views, { name: 'v3', filters: { status: 'failed' } });
  expect([changed.length, changed[0]]).toEqual([20, { name: 'v3', filters: { status: 'failed' } }]);
  expect(withView(views, { name: 'new', filters: {} }).map(({ name }) => name)).not.toContain('v19');
});

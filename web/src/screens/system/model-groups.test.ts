import { expect, it } from 'vitest';
import { groupsOf, inOrder, type Model } from './model-groups.ts';

const model = (id: string, change: Partial<Model> = {}): Model => ({
  id,
  part: 'voice',
  engine: 'piper',
  languages: ['en-US'],
  quality: 'a voice',
  cost: 'little',
  improves: null,
  bytes: 1,
  licence: 'MIT',
  is_pinned: true,
  runs_here: true,
  state: 'absent',
  download: null,
  ...change,
});
const download = (state: 'waiting' | 'running' | 'failed'): Model['download'] => ({
  state,
  file: null,
  source: null,
  done_bytes: 0,
  total_bytes: 1,
  failure: state === 'failed' ? { message: 'no source has it', advice: 'Try again.' } : null,
});
const MODELS = [
  model('elsewhere', { runs_here: false }),
  model('missing'),
  model('ears', { part: 'ears' }),
  model('runs', { state: 'installed' }),
  model('coming', { download: download('running') }),
  model('damaged', { state: 'damaged' }),
  model('failed', { download: download('failed') }),
];

it('puts faults first, then downloads, what runs, what is missing, and what no machine like this runs', () => {
  expect(inOrder(MODELS).map(({ id }) => id)).toEqual([
    'damaged',
    'failed',
    'coming',
    'runs',
    'missing',
    'ears',
    'elsewhere',
  ]);
});

it('keeps what is missing apart, by part', () => {
  const { present, missing } = groupsOf(MODELS);
  expect(present.map(({ id }) => id)).toEqual(['damaged', 'failed', 'coming', 'runs']);
  expect([...missing].map(([part, models]) => [part, models.map(({ id }) => id)])).toEqual([
    ['voice', ['missing', 'elsewhere']],
    ['ears', ['ears']],
  ]);
});

import { expect, it } from 'vitest';
import { runToEnd } from '../helpers/program.ts';

it('decoders of several threads open at once without a crash and without a log', async () => {
  const ended = await runToEnd({}, 30_000, ['test/helpers/sphinx-threads.ts']);
  expect(ended).toEqual({ code: 0, output: '' });
});

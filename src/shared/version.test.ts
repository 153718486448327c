import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { VERSION } from './version.ts';

it('is that of package.json', async () => {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  expect(VERSION).toBe((JSON.parse(text) as { version: string }).version);
});

it('is the version of the SDK, too', async () => {
  const text = await readFile(new URL('../../packages/sdk/package.json', import.meta.url), 'utf8');
  expect((JSON.parse(text) as { version: string }).version).toBe(VERSION);
});

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { primingSpeech } from '../../../src/offline/recogniser/telephone-speech.ts';
import { runEspeak, runFlite } from '../../../src/offline/speech/engines.ts';

let folder: string;
const seen = (): string => join(folder, 'seen');
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stub-engines-'));
  for (const name of ['espeak-ng', 'flite', 'pocketsphinx']) {
    await writeFile(join(folder, name), `#!/bin/sh\nenv >> ${seen()}\nexit 1\n`, { mode: 0o755 });
  }
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
  for (const name of ['SECRET_KEY', 'DATABASE_URL', 'S3_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'a-secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('gives the speech engines no secret', async () => {
  await new Promise<void>((resolve) => {
    runEspeak({ voice: 'en-us', speed: 1, text: 'Hello.' }, () => resolve());
  });
  await new Promise<void>((resolve) => {
    runFlite({ voice: 'rms', speed: 1, text: 'Hello.', directory: () => folder, name: 'a' }, () => resolve());
  });
  primingSpeech({ fliteCommand: 'flite', espeakCommand: 'espeak-ng' });
  const environment = await readFile(seen(), 'utf8');
  expect(environment.match(/^PATH=/gm)).toHaveLength(4);
  expect(environment).not.toContain('a-secret');
});

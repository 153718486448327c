import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createOfflineTts } from '../../../src/offline/speech/tts.ts';
import { SpeechThread } from '../../../src/offline/speech/speech-thread.ts';
import { synthesise } from '../../helpers/audio/speech.ts';

const folder = mkdtempSync(join(tmpdir(), 'callwright-shared-voices-'));
const runs = join(folder, 'runs');
/** espeak-ng, with a note of each run. */
const espeakCommand = join(folder, 'espeak');
writeFileSync(runs, '');
writeFileSync(espeakCommand, `#!/bin/sh\necho run >> ${runs}\nexec espeak-ng "$@"\n`);
chmodSync(espeakCommand, 0o755);
const countRuns = (): number => readFileSync(runs, 'utf8').split('\n').length - 1;

const speech = new SpeechThread({ espeakCommand });
const worker = () => createOfflineTts({ connect: (port) => speech.connect(port) });
const VOICE = { voiceKey: 'espeak:f3', language: 'en-US' } as const;

afterAll(async () => {
  await speech.close();
  rmSync(folder, { recursive: true });
});

describe('the speech thread of a process', () => {
  it('runs an engine once for the calls of all workers with the same text, and once for each other text', async () => {
    const workers = [worker(), worker()];
    const greetings = ['Hello Anna.', 'Hello Anna.', 'Hello Anna.', 'Hello Bela.'];
    const spoken = await Promise.all(
      Array.from({ length: 16 }, (_, call) =>
        synthesise(workers[call % 2]!, { ...VOICE, text: greetings[call % 4]! }),
      ),
    );
    expect(countRuns()).toBe(2);
    for (const [call, pcm] of spoken.entries()) expect(pcm).toEqual(spoken[call % 4 < 3 ? 0 : 3]);
    await Promise.all(workers.map((one) => one.close()));
  });

  it('answers the speech in progress with a failure when it ends, and serves the next', async () => {
    let isLost = true;
    const tts = createOfflineTts({
      connect: (port) => {
        if (isLost) port.close();
        else speech.connect(port);
      },
    });
    await expect(synthesise(tts, { ...VOICE, text: 'Is anybody there?' })).rejects.toThrow(
      'speech synthesis stopped',
    );
    isLost = false;
    expect((await synthesise(tts, { ...VOICE, text: 'Is anybody there?' })).length).toBeGreaterThan(4000);
    await tts.close();
  });
});

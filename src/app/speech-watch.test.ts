import { describe, expect, it } from 'vitest';
import { silentLog } from '../shared/log.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import { SpeechWatch, type SpeechWatchOptions } from './speech-watch.ts';

const FAULT = 'flite: cannot read or write the files of flite';

function watching(tries: readonly (readonly string[])[], more: Partial<SpeechWatchOptions> = {}) {
  const left = [...tries];
  const watch = new SpeechWatch({
    log: silentLog,
    connectSpeech: () => undefined,
    voices: 'first',
    recogniser: 'first',
    recogniserFault: () => null,
    tryVoices: () => Promise.resolve([...(left.shift() ?? [])]),
    tryMs: { working: 600_000, broken: 1 },
    ...more,
  });
  return { watch, left };
}

describe('the check of the voices', () => {
  it('fails once two tries have failed, and passes by itself when the voices work again', async () => {
    const { watch } = watching([[FAULT], [FAULT], [FAULT]]);
    await watch.start();
    expect(watch.isAble).toBe(false);
    expect(watch.checks()[0]).toEqual({
      name: 'voices',
      ok: false,
      detail: `the voices of this machine do not work: ${FAULT}`,
    });
    await expect.poll(() => watch.isAble).toBe(true);
    await watch.stop();
  });

  it('passes when only the first of two tries fails', async () => {
    const { watch } = watching([[FAULT], []]);
    await watch.start();
    expect(watch.checks()[0]).toEqual({ name: 'voices', ok: true });
    await watch.stop();
  });

  it('is a note where a vendor speaks first', async () => {
    const { watch } = watching([[FAULT], [FAULT]], {
      voices: 'behind vendors',
      tryMs: { working: 9e8, broken: 9e8 },
    });
    await watch.start();
    expect([watch.isAble, watch.checks()[0]?.detail]).toEqual([true, expect.stringContaining(FAULT)]);
    await watch.stop();
  });

  it('tries nothing where the voices are not used', async () => {
    const { watch, left } = watching([[FAULT], [FAULT]], { voices: 'unused' });
    await watch.start();
    expect([watch.isAble, left.length]).toEqual([true, 2]);
    await watch.stop();
  });
});

describe('the check of the recogniser', () => {
  const checked = (fault: RecogniserFault, recogniser: SpeechWatchOptions['recogniser']) =>
    watching([], { recogniserFault: () => fault, recogniser }).watch.checks()[1];

  it('fails while an installed one fails and no vendor hears', () => {
    const fault = { message: 'EACCES: permission denied', isInstalled: true };
    expect(checked(fault, 'first')).toMatchObject({ name: 'recogniser', ok: false });
    expect(checked(fault, 'behind vendors')).toMatchObject({
      ok: true,
      detail: expect.stringContaining('EACCES'),
    });
  });

  it('is a note where none is installed: callers answer by keypad', () => {
    const fault = { message: 'pocketsphinx-en-us is not installed', isInstalled: false };
    expect(checked(fault, 'first')).toEqual({
      name: 'recogniser',
      ok: true,
      detail:
        "pocketsphinx-en-us is not installed: without a vendor's recogniser, callers can only answer by keypad",
    });
  });
});

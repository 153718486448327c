import { installedModel } from './models/installed.ts';
import { turnFiles } from './models/onnx-runtime.ts';
import { mediaShare, utteranceShare, voiceShare, type CallShares } from './machine-capacity.ts';
import { createOfflineStt } from './recogniser/stt.ts';
import { hibariFiles, netOf } from './speech/hibari/files.ts';
import { measureVoice } from './speech/hibari/measure.ts';
import { createOfflineTts } from './speech/tts.ts';
import { EarThreads } from './words/ears.ts';
import { earModels } from './words/models.ts';

/** What the engines of this machine cost a call, and which ones were measured. */
export interface MeasuredShares extends CallShares {
  /** The model that writes words; null: none is installed, or it does not load. */
  readonly wordsBy: string | null;
  /** The voice that was measured; null: none speaks. */
  readonly voiceBy: string | null;
}

const FLITE = 'flite:slt';

/** `turnModel`: TURN_MODEL. Runs each engine `rounds` times and takes the median, since other work on the machine delays single runs. */
export async function measureShares(
  modelsDir: string,
  turnModel: string | null,
  rounds: number,
): Promise<MeasuredShares> {
  const tts = createOfflineTts();
  const stt = createOfflineStt({ threads: 1 });
  const ears = new EarThreads();
  const find = (id: string) => installedModel(modelsDir, id);
  // Neither keeps the process alive while it works.
  const alive = setInterval(() => undefined, 1000);
  try {
    const model = earModels(find, () => turnFiles(find, turnModel))('en-US');
    const isLoaded =
      model !== null &&
      (await ears.load(model).then(
        () => true,
        () => false,
      ));
    const [files, net] = [hibariFiles(find), netOf(find, 'heart')];
    const natural = (): Promise<number | null> =>
      files === null || net === null
        ? Promise.resolve(null)
        : measureVoice(files, net).then(
            ({ share }) => share,
            () => null,
          );
    const naturalShare = await median(rounds, natural);
    const fliteShare = naturalShare === null ? await median(rounds, () => voiceShare(tts, FLITE)) : null;
    const voice = naturalShare ?? fliteShare;
    return {
      media: (await median(rounds, () => Promise.resolve(mediaShare()))) ?? mediaShare(),
      words: isLoaded ? ears.share : null,
      wordsBy: isLoaded ? model.id : null,
      phrases: stt.available().ok ? await median(rounds, () => utteranceShare(stt)) : null,
      voice,
      voiceBy: voice === null ? null : naturalShare === null ? FLITE : 'hibari:heart',
    };
  } finally {
    clearInterval(alive);
    await Promise.all([tts.close(), stt.close(), ears.close()]);
  }
}

/** The median of the runs that measured something; null: none did. */
async function median(rounds: number, run: () => Promise<number | null>): Promise<number | null> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const value = await run();
    if (value === null) return null;
    measured.push(value);
  }
  return measured.toSorted((a, b) => a - b)[Math.floor(measured.length / 2)] ?? null;
}

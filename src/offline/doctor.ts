import { execFile } from 'node:child_process';
import { childEnvironment } from '../shared/child-environment.ts';
import { noiseFilterAvailable } from '../providers/noise/speex.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import { checkBySpeech } from '../providers/stt/check-speech.ts';
import { callsThatFit, CORES, mediaShare, utteranceShare, voiceShare } from './machine-capacity.ts';
import { installedModel } from './models/installed.ts';
import { turnFiles } from './models/onnx-runtime.ts';
import { createOfflineStt } from './recogniser/stt.ts';
import { hibariFiles, netOf, type FindModel } from './speech/hibari/files.ts';
import { measureVoice, type VoiceCost } from './speech/hibari/measure.ts';
import { NoVoice } from './speech/library/own-folder.ts';
import { OWN_VOICES, ownFolders, type OwnFolder } from './speech/library/own-voices.ts';
import { tryLibraryVoices } from './speech/library/try-voices.ts';
import { createOfflineTts } from './speech/tts.ts';
import { tryVoices } from './speech/try-voices.ts';
import { createVadProvider } from '../providers/vad/provider.ts';
import type { EarModel } from './words/ear-api.ts';
import { EarThreads } from './words/ears.ts';
import { earModels } from './words/models.ts';
import { localWords } from './words/recogniser.ts';

/** One line of the speech check: the finding, and advice where something is missing. */
export interface SpeechCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly advice: string;
}

const CHECK_TIMEOUT_MS = 5000;

/** Checks each offline speech engine on this machine. Never rejects. */
export async function speechHealth(
  commands: { espeak?: string; flite?: string; modelDirectory?: string } = {},
): Promise<SpeechCheck[]> {
  const [espeak, flite] = await Promise.all([
    runs(commands.espeak ?? 'espeak-ng', ['--version']),
    runs(commands.flite ?? 'flite', ['-lv']),
  ]);
  return [
    {
      name: 'espeak-ng',
      ok: espeak !== null,
      detail: espeak === null ? 'not found' : (/(?<!\d)\d+\.\d+(?:\.\d+)?/.exec(espeak)?.[0] ?? 'found'),
      advice: espeak === null ? 'No voice works without it: apt install espeak-ng' : '',
    },
    fliteCheck(flite),
    pocketsphinxCheck(commands.modelDirectory),
    sileroCheck(),
    noiseCheck(),
  ];
}

/**
 * Has the voices speak and the recognisers hear as in a call, since an installed program may still fail for this user, and
 * measures how many calls fit on this machine. `modelsDir`: MODELS_DIR; `turnModel`: TURN_MODEL.
 */
export async function speechTried(modelsDir: string, turnModel: string | null): Promise<SpeechCheck[]> {
  const tts = createOfflineTts();
  const stt = createOfflineStt({ threads: 1 });
  const ears = new EarThreads();
  const find = (id: string) => installedModel(modelsDir, id);
  const model = earModels(find, () => turnFiles(find, turnModel))('en-US');
  // Neither keeps the process alive while it works.
  const alive = setInterval(() => undefined, 1000);
  try {
    const [mute, deaf] = await Promise.all([
      tryVoices(tts, 1),
      stt.available().ok ? stt.tried() : Promise.resolve(null),
    ]);
    const isMute = mute.length > 0;
    const words = model === null ? null : await wordsTried(ears, model, modelsDir);
    const cost = await naturalCost(find);
    const capacity = await capacityCheck(ears.share, tts, stt, cost);
    return [
      {
        name: 'voices',
        ok: !isMute,
        detail: isMute ? mute.join('; ') : 'every engine speaks',
        advice: isMute
          ? 'No call is placed or answered until they speak: run the program by hand as this user'
          : '',
      },
      {
        name: 'recogniser',
        ok: deaf === null,
        detail: deaf ?? (stt.available().ok ? 'starts' : 'not installed'),
        advice:
          deaf === null
            ? ''
            : 'No call is placed or answered until it starts, or STT_PROVIDER names a vendor',
      },
      ...(words === null ? [] : [words]),
      ...(cost === null ? [] : [naturalCheck(cost, modelsDir)]),
      ...tryLibraryVoices(find, { modelsDir }).map(libraryCheck),
      ...ownFolders(modelsDir).flatMap(ownFolderCheck),
      capacity,
    ];
  } finally {
    clearInterval(alive);
    await Promise.all([tts.close(), stt.close(), ears.close()]);
  }
}

/** Speaks to the recogniser of words and reads its words back. */
async function wordsTried(ears: EarThreads, model: EarModel, modelsDir: string): Promise<SpeechCheck> {
  const name = 'words';
  const advice = `Calls hear phrases only: callwright models verify, in ${modelsDir}`;
  try {
    await ears.load(model);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${model.id}: ${detail}`, advice };
  }
  const result = await checkBySpeech(
    localWords(
      (port) => ears.connect(port, model),
      () => model,
    ),
  );
  return 'heard' in result
    ? { name, ok: true, detail: `${model.id} hears "${result.heard}"`, advice: '' }
    : { name, ok: false, detail: result.message, advice };
}

/** What the natural voice costs, or why it cannot be used; null: it is not installed. */
async function naturalCost(find: FindModel): Promise<VoiceCost | string | null> {
  const [files, net] = [hibariFiles(find), netOf(find, 'heart')];
  if (files === null || net === null) return null;
  return measureVoice(files, net).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
}

function naturalCheck(cost: VoiceCost | string, modelsDir: string): SpeechCheck {
  const name = 'natural voice';
  if (typeof cost === 'string') {
    const advice = `flite speaks in its place: callwright models verify, in ${modelsDir}`;
    return { name, ok: false, detail: cost, advice };
  }
  const detail = `takes ${percent(cost.share)} of a core while it speaks, and sounds after ${Math.round(cost.firstMs)} ms`;
  return { name, ok: true, detail, advice: '' };
}

const libraryCheck = ({ voice, fault }: { voice: string; fault: string | null }): SpeechCheck => ({
  name: `voice ${voice}`,
  ok: fault === null,
  detail: fault ?? 'speaks',
  advice: fault === null ? '' : 'espeak-ng speaks in its place',
});

/** A folder of the operator's that cannot be used. */
const ownFolderCheck = ({ name, found }: OwnFolder): SpeechCheck[] =>
  found instanceof NoVoice
    ? [
        {
          name: `voice folder ${name}`,
          ok: false,
          detail: `${OWN_VOICES}/${name}: ${found.message}`,
          advice: 'Its voices are not offered: docs/providers.md lists the files of a voice',
        },
      ]
    : [];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** How many calls fit on this machine, by what hears them. */
async function capacityCheck(
  words: number | null,
  tts: TtsProvider,
  stt: ReturnType<typeof createOfflineStt>,
  natural: VoiceCost | string | null,
): Promise<SpeechCheck> {
  const [voice, phrases] = [
    natural === null || typeof natural === 'string' ? await voiceShare(tts, 'flite:slt') : natural.share,
    stt.available().ok ? await utteranceShare(stt) : null,
  ];
  const media = mediaShare();
  const fit = callsThatFit(CORES, { media, words, phrases, voice });
  const parts = [
    ...(fit.words === null || words === null
      ? []
      : [
          `${fit.words} that this machine hears by words (${percent(words)} of a core while a caller speaks)`,
        ]),
    ...(fit.phrases === null || phrases === null
      ? []
      : [`${fit.phrases} that it hears by phrases (${percent(phrases)})`]),
    `${fit.vendors} that a vendor hears (${percent(media)})`,
  ];
  return { name: 'calls at once', ok: true, detail: `on ${CORES} cores: ${parts.join(', ')}`, advice: '' };
}

function fliteCheck(voices: string | null): SpeechCheck {
  const missing = ['slt', 'rms', 'awb'].filter((voice) => !(voices ?? '').split(/\s+/).includes(voice));
  const ok = voices !== null && missing.length === 0;
  const detail = voices === null ? 'not found' : ok ? 'found' : `voices missing: ${missing.join(', ')}`;
  const advice = ok ? '' : 'espeak-ng replaces its English voices: apt install flite';
  return { name: 'flite', ok, detail, advice };
}

function pocketsphinxCheck(modelDirectory: string | undefined): SpeechCheck {
  const { ok, reason } = createOfflineStt(modelDirectory === undefined ? {} : { modelDirectory }).available();
  return {
    name: 'pocketsphinx',
    ok,
    detail: ok ? 'English phrases' : reason,
    advice: ok
      ? ''
      : 'Callers can only answer by keypad: apt install libpocketsphinx3 libsphinxbase3 pocketsphinx-en-us',
  };
}

function sileroCheck(): SpeechCheck {
  const { name } = createVadProvider();
  const ok = name === 'silero';
  const advice = ok ? '' : 'Noise may be taken for speech: restore assets/models/silero_vad_v5.onnx';
  return { name: 'silero', ok, detail: ok ? 'version 5' : 'cannot run; using the light detector', advice };
}

function noiseCheck(): SpeechCheck {
  const ok = noiseFilterAvailable();
  const advice = ok ? '' : 'The noise filter of agents has no effect: apt install libspeexdsp1';
  return { name: 'speexdsp', ok, detail: ok ? 'found' : 'not found', advice };
}

/** The program's output; null when it cannot run. */
function runs(command: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { env: childEnvironment(), timeout: CHECK_TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, stdout) => resolve(error === null ? stdout : null),
    );
  });
}

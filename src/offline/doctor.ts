import { execFile } from 'node:child_process';
import { childEnvironment } from '../shared/child-environment.ts';
import { noiseFilterAvailable } from '../providers/noise/speex.ts';
import { createOfflineStt } from './recogniser/stt.ts';
import { createOfflineTts } from './speech/tts.ts';
import { tryVoices } from './speech/try-voices.ts';
import { createVadProvider } from '../providers/vad/provider.ts';

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

/** Has the voices speak and a recogniser start as in a call: an installed program may still fail for this user. */
export async function speechTried(): Promise<SpeechCheck[]> {
  const tts = createOfflineTts();
  const stt = createOfflineStt({ threads: 1 });
  // Neither keeps the process alive while it works.
  const alive = setInterval(() => undefined, 1000);
  try {
    const [mute, deaf] = await Promise.all([
      tryVoices(tts, 1),
      stt.available().ok ? stt.tried() : Promise.resolve(null),
    ]);
    const isMute = mute.length > 0;
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
        detail: deaf ?? 'starts, or is not installed',
        advice:
          deaf === null
            ? ''
            : 'No call is placed or answered until it starts, or STT_PROVIDER names a vendor',
      },
    ];
  } finally {
    clearInterval(alive);
    await Promise.all([tts.close(), stt.close()]);
  }
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

import { silentLog, type Log } from '../../shared/log.ts';
import { fakeLlmFromName } from '../../offline/scripted/llm.ts';
import { fakeSttFromName } from '../../offline/scripted/stt.ts';
import { fakeTtsFromName } from '../../offline/scripted/tts.ts';
import type { ModelAccount } from '../../vendors/catalogue.ts';
import type { RecogniserChoice } from './recognisers.ts';
import type { LlmProvider, StepLlms } from '../ports/model.ts';
import type { SttProvider, TurnModel, VadProvider } from '../ports/recogniser.ts';
import type { TtsProvider } from '../ports/voice.ts';
import { VendorHealths, type ChainHealth } from '../wire/health.ts';
import type { ConnectSpeech } from '../../offline/speech/speech-api.ts';
import type { ConnectEar } from '../../offline/words/ear-api.ts';
import { spokenClips } from '../tts/cached-voice.ts';
import type { ProviderKind } from '../../vendors/catalogue.ts';
import { loadPart, type AccountOf, type OpenOptions, type ProviderOf } from './parts.ts';
import type { VoiceChoice } from './voices.ts';

/** The providers of a call worker, as plain data for its thread. */
export interface ProviderChoice {
  /** `auto`, `silero` or `light`. */
  vad: string;
  /** File of a model that judges the ends of turns, or `off`; absent: the one of MODELS_DIR. */
  turnModel?: string;
  /** `offline`, or `fake` with its settings (fake/stt.ts). */
  stt: string;
  /** Recognisers that come before the offline one. */
  recognisers?: readonly RecogniserChoice[];
  /** `offline`, or `fake` with its settings (fake/tts.ts). */
  tts: string;
  /** Voices that come before the offline ones. */
  voices?: readonly VoiceChoice[];
  /** `offline`, or `fake` with its settings (fake/llm.ts). */
  llm: string;
  /** Language models that come before it. */
  models?: readonly ModelAccount[];
  /** MODELS_DIR; absent: the offline recogniser hears phrases only, questions are searched by words, and turns end by the rules. */
  modelsDir?: string;
}

/** What the threads of a process share. */
export interface SharedEngines {
  /** Reaches the speech thread; absent: this thread has its own. */
  readonly connectSpeech?: ConnectSpeech;
  /** Reaches the recogniser threads; absent: this thread has its own. */
  readonly connectEar?: ConnectEar;
}

export interface Providers {
  vad: VadProvider;
  stt: SttProvider;
  tts: TtsProvider;
  llm: LlmProvider;
  turn?: TurnModel;
  /** Of steps of the agent's flow. Absent: none has its own. */
  stepModels?: StepLlms;
}

/** The keyless providers: everything runs on this machine. */
export const OFFLINE_PROVIDERS: ProviderChoice = {
  vad: 'auto',
  stt: 'offline',
  tts: 'offline',
  llm: 'offline',
};

/** Creates the providers of one thread and loads only the chosen ones. Throws on an unknown name. */
export async function createProviders(
  choice: ProviderChoice,
  log: Log = silentLog,
  engines: SharedEngines = {},
  healths: VendorHealths = new VendorHealths(),
): Promise<Providers> {
  const [vad, turn, stt, tts, llm] = await Promise.all([
    vadOf(choice.vad, log),
    turnModelOf(choice, log),
    recognisersOf(choice, log, healths, engines.connectEar),
    voicesOf(choice, log, healths, engines.connectSpeech),
    modelsOf(choice, healths, log),
  ]);
  return { vad, stt, tts, llm, ...(turn === null ? {} : { turn }) };
}

const unknown = (kind: string, name: string): Error =>
  new Error(`Unknown ${kind} provider: ${name.slice(0, 40)}`);
const isFake = (name: string): boolean => name === 'fake' || name.startsWith('fake:');

async function vadOf(name: string, log: Log): Promise<VadProvider> {
  if (name !== 'auto' && name !== 'silero' && name !== 'light') throw unknown('voice activity', name);
  const { createVadProvider } = await import('../vad/provider.ts');
  return createVadProvider({ engine: name, log });
}

async function turnModelOf({ turnModel, modelsDir }: ProviderChoice, log: Log): Promise<TurnModel | null> {
  const { turnFiles } = await import('../../offline/models/onnx-runtime.ts');
  const { installedModel } = await import('../../offline/models/installed.ts');
  const find = (id: string) => (modelsDir === undefined ? null : installedModel(modelsDir, id));
  const files = turnFiles(find, turnModel ?? null);
  if (files === null) return null;
  const { smartTurn } = await import('../turn/smart-turn.ts');
  return smartTurn({ ...files, log });
}

async function sttOf(
  { stt: name, modelsDir }: ProviderChoice,
  log: Log,
  health: ChainHealth,
  connect?: ConnectEar,
): Promise<SttProvider> {
  if (isFake(name)) return fakeSttFromName(name);
  if (name !== 'offline') throw unknown('speech recognition', name);
  const { createOfflineStt } = await import('../../offline/recogniser/stt.ts');
  const phrases = createOfflineStt({ log });
  if (modelsDir === undefined) return phrases;
  const { createOfflineEars } = await import('../../offline/ears.ts');
  return createOfflineEars({
    modelsDir,
    phrases,
    health,
    log,
    ...(connect === undefined ? {} : { connect }),
  });
}

/** The recognisers in order, with the one by name as the last. */
async function recognisersOf(
  choice: ProviderChoice,
  log: Log,
  healths: VendorHealths,
  connect?: ConnectEar,
): Promise<SttProvider> {
  const last = await sttOf(choice, log, healths.of('stt'), connect);
  return chained('stt', (choice.recognisers ?? []).map(ofOperator), last, healths, { log });
}

async function ttsOf(name: string, log: Log, connect?: ConnectSpeech): Promise<TtsProvider> {
  if (isFake(name)) return fakeTtsFromName(name);
  if (name !== 'offline') throw unknown('voice', name);
  const { createOfflineTts } = await import('../../offline/speech/tts.ts');
  return createOfflineTts({ log, ...(connect === undefined ? {} : { connect }) }).start();
}

/** The voices in order, with the ones by name as the last. */
async function voicesOf(
  { tts, voices = [] }: ProviderChoice,
  log: Log,
  healths: VendorHealths,
  connect?: ConnectSpeech,
): Promise<TtsProvider> {
  const last = await ttsOf(tts, log, connect);
  return chained('tts', voices.map(ofOperator), last, healths, { clips: spokenClips() });
}

/** The brain by name: `offline` is the script brain. */
export async function brainOf(
  { llm: name, modelsDir }: BrainChoice,
  log: Log = silentLog,
): Promise<LlmProvider> {
  if (isFake(name)) return fakeLlmFromName(name);
  if (name !== 'offline') throw unknown('language model', name);
  const { createScriptLlm } = await import('../../offline/script/brain.ts');
  if (modelsDir === undefined) return createScriptLlm();
  const { localMeaning } = await import('../../offline/meaning/meaning.ts');
  const { installedModel } = await import('../../offline/models/installed.ts');
  return createScriptLlm(localMeaning((id) => installedModel(modelsDir, id), log));
}

type BrainChoice = Pick<ProviderChoice, 'llm' | 'models' | 'modelsDir'>;

/** The models in order, with the brain by name as the last. */
export async function modelsOf(
  choice: BrainChoice,
  healths: VendorHealths,
  log: Log = silentLog,
): Promise<LlmProvider> {
  const last = await brainOf(choice, log);
  return chained('llm', (choice.models ?? []).map(ofOperator), last, healths);
}

const ofOperator = <A extends object>(account: A) => ({ ...account, isGuarded: false });

/** The accounts in order, then the engine by name. */
async function chained<K extends ProviderKind>(
  kind: K,
  accounts: readonly AccountOf<K>[],
  last: ProviderOf<K>,
  healths: VendorHealths,
  options: OpenOptions = {},
): Promise<ProviderOf<K>> {
  if (accounts.length === 0) return last;
  const part = await loadPart(kind);
  const members = accounts.map((account) => part.open(account, options));
  return part.chain([...members, last], { health: healths.of(kind) });
}

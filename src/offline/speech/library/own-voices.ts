import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@callwright/language';
import type { VoiceInfo } from '../../../providers/voices.ts';
import { namedUuid } from '../../../shared/named-uuid.ts';
import { NoVoice, readVoiceFolder, type FolderVoice, type VoiceFolder } from './own-folder.ts';

/** The operator keeps voices in this folder of MODELS_DIR: a folder for each model. */
export const OWN_VOICES = 'own-voices';
/** Names of folders that voice keys can hold. */
const NAME = /^[\w.-]{1,64}$/;
const KNOWN_MS = 10_000;

/** A folder of the operator's, and what it holds or why it cannot be used. */
export interface OwnFolder {
  readonly name: string;
  readonly found: VoiceFolder | NoVoice;
}

/** The operator's folders in alphabetical order. */
export function ownFolders(modelsDir: string): readonly OwnFolder[] {
  let names: string[];
  try {
    names = readdirSync(join(modelsDir, OWN_VOICES), { withFileTypes: true })
      .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
      .map(({ name }) => name);
  } catch {
    return [];
  }
  return names.toSorted().map((name) => ({ name, found: readFolder(modelsDir, name) }));
}

function readFolder(modelsDir: string, name: string): VoiceFolder | NoVoice {
  if (!NAME.test(name)) return new NoVoice('its name may have letters, digits, ".", "_" and "-" alone');
  try {
    return readVoiceFolder(join(modelsDir, OWN_VOICES, name));
  } catch (error) {
    return error instanceof NoVoice ? error : new NoVoice('a file of it cannot be read');
  }
}

interface OwnVoice {
  /** The name that the engine knows. */
  readonly engineName: string;
  readonly net: string;
  readonly info: VoiceInfo;
}

/** The voices of the operator's folders. */
export const ownVoices = (modelsDir: string): readonly OwnVoice[] =>
  ownFolders(modelsDir).flatMap(({ name, found }) =>
    found instanceof NoVoice ? [] : found.voices.map((voice) => ownVoice(name, found.kind, voice)),
  );

function ownVoice(folder: string, kind: VoiceFolder['kind'], voice: FolderVoice): OwnVoice {
  const engineName = `${folder}/${voice.speaker.replace(/[^\w.-]/g, '_')}`;
  const instead = voice.gender === 'male' ? 'm3' : 'f3';
  return {
    engineName,
    net: voice.net,
    info: {
      id: namedUuid(`own:${engineName}`),
      name: `${labelOf(kind, voice.speaker)} (${folder})`,
      languages: voice.languages,
      gender: voice.gender,
      description: `A voice of ${kind} in the folder ${OWN_VOICES}/${folder} of this machine. Needs the package sherpa-onnx-node; without it espeak-ng speaks.`,
      voiceKey: `own:${engineName}:${instead}:${voice.languages.join(',')}`,
    },
  };
}

/** A name for people: af_bella is Bella. */
function labelOf(kind: VoiceFolder['kind'], speaker: string): string {
  const word = kind === 'Kokoro' ? speaker.replace(/^[a-z]{1,2}_/, '') : speaker;
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** The list of the operator's voices, read again at most every ten seconds. */
export function ownVoiceList(modelsDir: string, now = () => performance.now()): () => readonly VoiceInfo[] {
  let known: { readonly list: readonly VoiceInfo[]; readonly at: number } | null = null;
  return () => {
    if (known === null || now() - known.at >= KNOWN_MS) {
      known = { list: ownVoices(modelsDir).map(({ info }) => info), at: now() };
    }
    return known.list;
  };
}

const KEY = /^own:([\w.-]+\/[\w.-]+):([fm]\d):([\w,-]+)$/;

/** What the plan of a sentence needs to know of an operator's voice, which its key says; null: it is the key of another voice. */
export function readOwnKey(
  voiceKey: string,
): { readonly name: string; readonly instead: string; readonly languages: readonly Language[] } | null {
  const [, name, instead, languages] = KEY.exec(voiceKey) ?? [];
  if (name === undefined || instead === undefined || languages === undefined) return null;
  return { name, instead, languages: languages.split(',') as Language[] };
}

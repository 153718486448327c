import type { Read } from './settings.ts';
import { modelSetting } from './settings-of-vendors.ts';
import type { OperatorAccount } from '../vendors/accounts.ts';
import {
  isVendorOf,
  LLM_VENDOR_NAMES,
  needsKey,
  STT_VENDOR_NAMES,
  TTS_VENDOR_NAMES,
  VENDOR_NAMES,
  vendorOf,
  type LlmVendorName,
  type ModelAccount,
  type SttVendorName,
  type TtsVendorName,
  type VendorName,
  type VendorSettings,
} from '../vendors/catalogue.ts';
import { settingPrefix } from '../vendors/vendor.ts';
import { recordOf } from '../shared/record-of.ts';

/** What the settings of vendors lack for the vendors that they name. */
export function vendorProblems(read: Read): string[] {
  const problems: string[] = [];
  problems.push(...modelProblems(read));
  const { EMBEDDINGS_BASE_URL: embeddings, EMBEDDINGS_MODEL: embeddingModel } = read;
  if (embeddings !== null && embeddingModel === null) {
    problems.push('EMBEDDINGS_MODEL is required when EMBEDDINGS_BASE_URL is set');
  }
  const ofEmbeddings = [embeddingModel, read.EMBEDDINGS_API_KEY, read.EMBEDDINGS_DIMENSIONS];
  if (embeddings === null && ofEmbeddings.some((value) => value !== null)) {
    problems.push('EMBEDDINGS_BASE_URL is required when another setting of the embeddings is set');
  }
  for (const name of recognisersOf(read)) {
    const { apiKey, baseUrl, modelDir } = recogniserSettings(read, name);
    const missing = needsKey(name) && apiKey === null ? 'API_KEY' : baseUrl === null ? 'BASE_URL' : null;
    if (vendorOf(name).modelDir !== undefined && (baseUrl === null) === (modelDir === undefined)) {
      const prefix = settingPrefix(name);
      problems.push(
        `${prefix}_BASE_URL or ${prefix}_MODEL_DIR, one of them, is required when STT_PROVIDER names ${name}`,
      );
      continue;
    }
    if (modelDir !== undefined) continue;
    if (missing !== null) {
      problems.push(`${settingPrefix(name)}_${missing} is required when STT_PROVIDER names ${name}`);
    }
  }
  const s2s = read.S2S_PROVIDER ?? 'pipeline';
  if (s2s !== 'pipeline' && vendorSettings(read, s2s).apiKey === null) {
    problems.push(`${settingPrefix(s2s)}_API_KEY is required when S2S_PROVIDER names ${s2s}`);
  }
  for (const name of voicesOf(read)) {
    if (needsKey(name) && voiceSettings(read, name).apiKey === null) {
      problems.push(`${settingPrefix(name)}_API_KEY is required when TTS_PROVIDER names ${name}`);
    }
    if (voiceSettings(read, name).baseUrl === null) {
      problems.push(`${settingPrefix(name)}_BASE_URL is required when TTS_PROVIDER names ${name}`);
    }
  }
  return problems;
}

/** The vendors of the environment, in order of preference, and the accounts of all. */
export function vendorsOf(read: Read) {
  return {
    llm: modelsOf(read).map((vendor) => modelAccount(read, vendor) as ModelAccount),
    stt: recognisersOf(read).map((name) => ({
      name,
      settings: { ...recogniserSettings(read, name), baseUrl: recogniserSettings(read, name).baseUrl ?? '' },
    })),
    providers: {
      accounts: recordOf(VENDOR_NAMES, (name) => operatorAccount(read, name)),
      models: Object.fromEntries(
        LLM_VENDOR_NAMES.map((name) => modelAccount(read, name))
          .filter(isComplete)
          .map((account) => [account.vendor, account]),
      ),
      chains: { stt: recognisersOf(read), llm: modelsOf(read), tts: voicesOf(read) },
      s2s: read.S2S_PROVIDER ?? 'pipeline',
    },
    tts: voicesOf(read).map((name) => ({
      name,
      settings: voiceSettings(read, name) as VendorSettings,
    })),
    embeddings:
      read.EMBEDDINGS_BASE_URL === null
        ? null
        : {
            baseUrl: read.EMBEDDINGS_BASE_URL,
            apiKey: read.EMBEDDINGS_API_KEY,
            model: read.EMBEDDINGS_MODEL!,
            dimensions: read.EMBEDDINGS_DIMENSIONS,
            waitMs: read.EMBEDDINGS_WAIT_MS!,
          },
  };
}

const recognisersOf = (read: Read): SttVendorName[] =>
  STT_VENDOR_NAMES.filter((name) => read.STT_PROVIDER?.includes(name)).toSorted(
    (a, b) => read.STT_PROVIDER!.indexOf(a) - read.STT_PROVIDER!.indexOf(b),
  );

const voicesOf = (read: Read): TtsVendorName[] =>
  TTS_VENDOR_NAMES.filter((name) => read.TTS_PROVIDER?.includes(name)).toSorted(
    (a, b) => read.TTS_PROVIDER!.indexOf(a) - read.TTS_PROVIDER!.indexOf(b),
  );

/** A vendor's setting as text; null: not set, or the vendor does not have it. */
function textOf(read: Read, name: VendorName, part: string): string | null {
  const values: Readonly<Record<string, unknown>> = read;
  const value = values[`${settingPrefix(name)}_${part}`];
  return typeof value === 'string' ? value : null;
}

function languagesOf(read: Read, name: VendorName): readonly string[] {
  const values: Readonly<Record<string, unknown>> = read;
  const value = values[`${settingPrefix(name)}_LANGUAGES`];
  return Array.isArray(value) ? value.map(String) : [];
}

type Incomplete = Omit<VendorSettings, 'baseUrl'> & { readonly baseUrl: string | null };

/** The account of a vendor with the model of its voices. */
const voiceSettings = (read: Read, name: TtsVendorName): Incomplete => ({
  apiKey: textOf(read, name, 'API_KEY'),
  baseUrl: textOf(read, name, 'TTS_BASE_URL') ?? textOf(read, name, 'BASE_URL'),
  model: textOf(read, name, 'TTS_MODEL'),
  voice: textOf(read, name, 'VOICE'),
});

/** The account of a vendor with the address of its recogniser. */
function recogniserSettings(read: Read, name: SttVendorName): Incomplete {
  const settings = vendorSettings(read, name);
  return { ...settings, baseUrl: textOf(read, name, 'STT_BASE_URL') ?? settings.baseUrl };
}

/** `baseUrl` is null where a required one is missing. */
function vendorSettings(read: Read, name: VendorName): Incomplete {
  const languages = languagesOf(read, name);
  const modelDir = textOf(read, name, 'MODEL_DIR');
  return {
    apiKey: textOf(read, name, 'API_KEY'),
    baseUrl: textOf(read, name, 'BASE_URL'),
    model: textOf(read, name, 'MODEL'),
    ...(languages.length === 0 ? {} : { languages }),
    ...(modelDir === null ? {} : { modelDir }),
  };
}

/** The account of a vendor with the models and the voice of its other parts. */
function operatorAccount(read: Read, name: VendorName): OperatorAccount {
  const { baseUrl, apiKey, model, languages } = vendorSettings(read, name);
  const { s2s } = vendorOf(name);
  const isVoice = isVendorOf('tts', name);
  const sttBaseUrl = textOf(read, name, 'STT_BASE_URL');
  const ttsBaseUrl = textOf(read, name, 'TTS_BASE_URL');
  return {
    apiKey,
    baseUrl,
    model,
    ...(sttBaseUrl === null ? {} : { sttBaseUrl }),
    ...(ttsBaseUrl === null ? {} : { ttsBaseUrl }),
    ...(languages === undefined ? {} : { languages }),
    ...(isVoice ? { ttsModel: textOf(read, name, 'TTS_MODEL') } : {}),
    ...(isVoice || s2s !== undefined ? { voice: textOf(read, name, 'VOICE') } : {}),
    ...(s2s === undefined ? {} : { s2sModel: textOf(read, name, 'S2S_MODEL') }),
  };
}

function modelProblems(read: Read): string[] {
  const problems: string[] = [];
  if (read.LLM_BASE_URL !== null && read.LLM_MODEL === null) {
    problems.push('LLM_MODEL is required when LLM_BASE_URL is set');
  }
  if (read.LLM_BASE_URL === null && (read.LLM_MODEL !== null || read.LLM_API_KEY !== null)) {
    problems.push('LLM_BASE_URL is required when LLM_MODEL or LLM_API_KEY is set');
  }
  for (const vendor of modelsOf(read)) {
    if (vendor === 'openai-compatible' && read.LLM_BASE_URL !== null) continue;
    const { key, baseUrl, model } = modelAccount(read, vendor);
    const missing = [
      ...(needsKey(vendor) && key === null ? [`${settingPrefix(vendor)}_API_KEY`] : []),
      ...(baseUrl === null ? [`${settingPrefix(vendor)}_BASE_URL`] : []),
      ...(model === null ? [`${settingPrefix(vendor)}_${modelSetting(vendorOf(vendor))}`] : []),
    ];
    problems.push(...missing.map((name) => `${name} is required when LLM_PROVIDER names ${vendor}`));
  }
  return problems;
}

/** Without LLM_PROVIDER, the server of LLM_BASE_URL. */
function modelsOf(read: Read): LlmVendorName[] {
  const named = read.LLM_PROVIDER ?? (read.LLM_BASE_URL === null ? [] : ['openai-compatible']);
  return [...new Set(named)].filter((name) => isVendorOf('llm', name));
}

/** Whether a model can be reached. */
const isComplete = (account: ReturnType<typeof modelAccount>): account is ModelAccount =>
  account.baseUrl !== null && account.model !== null && (account.key !== null || !needsKey(account.vendor));

/** `baseUrl` and `model` are null where a required one is missing. */
function modelAccount(
  read: Read,
  vendor: LlmVendorName,
): Omit<ModelAccount, 'baseUrl' | 'model'> & { baseUrl: string | null; model: string | null } {
  if (vendor === 'openai-compatible' && read.LLM_BASE_URL !== null) {
    const { LLM_API_KEY: key, LLM_BASE_URL: baseUrl, LLM_MODEL: model } = read;
    return { vendor, key, baseUrl, isWholeUrl: true, model };
  }
  const { apiKey: key, baseUrl } = vendorSettings(read, vendor);
  return { vendor, key, baseUrl, model: textOf(read, vendor, modelSetting(vendorOf(vendor))) };
}

import type { Config } from '../config.ts';
import { modelSetting } from '../config/settings-of-vendors.ts';
import { NO_SETTINGS } from '../domain/providers/provider-settings.ts';
import { resolveProviders } from '../domain/providers/resolve-providers.ts';
import { tryModel } from '../providers/choose/try-model.ts';
import { tryS2s, type S2sChoice } from '../providers/choose/speech-to-speech.ts';
import { tryRecogniser, type RecogniserChoice } from '../providers/choose/recognisers.ts';
import { tryVoice, type VoiceChoice } from '../providers/choose/voices.ts';
import type { VendorReach } from '../providers/wire/reach.ts';
import type { CallProviders, Reach } from '../vendors/accounts.ts';
import type { FaultKind, VendorFault } from '../shared/vendor-fault.ts';
import { vendorOf, type ModelAccount, type VendorName } from '../vendors/catalogue.ts';
import { settingPrefix } from '../vendors/vendor.ts';
import { failed, passed, type Finding } from './finding.ts';

/** The names of the settings that a vendor's account has. */
interface SettingNames {
  readonly key: string;
  readonly baseUrl: string;
  readonly model: string;
}

function adviceOn(kind: FaultKind, { key, baseUrl, model }: SettingNames): string {
  const address = `check ${baseUrl} and whether the server can be reached`;
  const advice: Record<FaultKind, string> = {
    key: `check ${key}`,
    credit: `add credit to the account of ${key}`,
    limit: `wait, or raise the limits of the account of ${key}`,
    rejected: `check ${model}`,
    timeout: address,
    lost: address,
    account: `set ${key}`,
  };
  return advice[kind];
}

/** `result`: ms until the vendor did its work, or its fault. */
const findingOf = (
  check: string,
  result: number | VendorFault,
  passedAs: (ms: number) => string,
  names: SettingNames,
): Finding =>
  typeof result === 'number'
    ? passed(check, passedAs(result))
    : failed(check, result.message, adviceOn(result.kind, names));

async function recogniser(
  choice: RecogniserChoice,
  names: SettingNames,
  reach?: VendorReach,
): Promise<Finding> {
  const result = await tryRecogniser(choice, reach);
  const { name, settings } = choice;
  const place = settings.modelDir ?? settings.baseUrl;
  const check = `recogniser ${name}`;
  return 'heard' in result
    ? passed(check, `${place} hears "${result.heard}" ${result.ms} ms after the speech`)
    : findingOf(check, result, () => '', names);
}

async function speaker(choice: VoiceChoice, names: SettingNames, reach?: VendorReach): Promise<Finding> {
  const result = await tryVoice(choice, reach);
  const { name, settings } = choice;
  return findingOf(`voice ${name}`, result, (ms) => `${settings.baseUrl} speaks after ${ms} ms`, names);
}

async function talker(choice: S2sChoice, names: SettingNames, reach?: VendorReach): Promise<Finding> {
  const result = await tryS2s(choice, reach);
  const { name, settings } = choice;
  return findingOf(
    `speech to speech ${name}`,
    result,
    (ms) => `${settings.baseUrl} is ready after ${ms} ms`,
    names,
  );
}

async function languageModel(
  account: ModelAccount,
  names: SettingNames,
  reach?: VendorReach,
): Promise<Finding> {
  const { vendor, baseUrl, model } = account;
  const result = await tryModel({ ...account, ...(reach === undefined ? {} : { fetch: reach.fetch }) });
  return findingOf(
    `language model ${vendor}`,
    result,
    (ms) => `${model} at ${baseUrl} answers in ${ms} ms`,
    names,
  );
}

/** Tries every vendor of the environment. */
export function ofEnvironment({
  stt,
  tts,
  llm,
  providers,
}: Pick<Config, 'stt' | 'tts' | 'llm' | 'providers'>): Promise<Finding[]> {
  const { s2s } = resolveProviders(providers, NO_SETTINGS, {}, () => null);
  const names = (prefix: string, model: string, address = `${prefix}_BASE_URL`): SettingNames => ({
    key: `${prefix}_API_KEY`,
    baseUrl: address,
    model,
  });
  const addressOf = (name: VendorName, part: 'stt' | 'tts'): string => {
    const prefix = settingPrefix(name);
    const own =
      vendorOf(name)[part]?.baseUrl === undefined ? '' : `${prefix}_${part.toUpperCase()}_BASE_URL, `;
    return `${own}${prefix}_BASE_URL`;
  };
  return Promise.all([
    ...stt.map((choice) => {
      const prefix = settingPrefix(choice.name);
      return recogniser(choice, names(prefix, `${prefix}_MODEL`, addressOf(choice.name, 'stt')));
    }),
    ...tts.map((choice) => {
      const prefix = settingPrefix(choice.name);
      const model = `${prefix}_TTS_MODEL and ${prefix}_VOICE`;
      return speaker(choice, names(prefix, model, addressOf(choice.name, 'tts')));
    }),
    ...(s2s === undefined ? [] : [s2s]).map((choice) => {
      const prefix = settingPrefix(choice.name);
      return talker(choice, names(prefix, `${prefix}_S2S_MODEL and ${prefix}_VOICE`));
    }),
    ...llm.map((account) => {
      // Only LLM_BASE_URL is the whole URL.
      const isWhole = account.isWholeUrl === true;
      const prefix = isWhole ? 'LLM' : settingPrefix(account.vendor);
      const model = isWhole ? 'LLM_MODEL' : `${prefix}_${modelSetting(vendorOf(account.vendor))}`;
      return languageModel(account, names(prefix, `${model} and ${prefix}_BASE_URL`));
    }),
  ]);
}

/** Tries the vendors that the calls of a workspace use, under the address rules where it chose the address. */
export function ofWorkspace(
  { stt = [], tts = [], llm = [], s2s }: CallProviders,
  reach: VendorReach,
): Promise<Finding[]> {
  const names = (name: string, model: string): SettingNames => ({
    key: `vendors.${name}.api_key`,
    baseUrl: `vendors.${name}.base_url`,
    model: `vendors.${name}.${model}`,
  });
  const reachOf = ({ isGuarded }: Reach): VendorReach | undefined => (isGuarded ? reach : undefined);
  return Promise.all([
    ...stt.map((one) => recogniser(one, names(one.name, 'model'), reachOf(one))),
    ...tts.map((one) => speaker(one, names(one.name, 'tts_model'), reachOf(one))),
    ...(s2s === undefined ? [] : [talker(s2s, names(s2s.name, 's2s_model'), reachOf(s2s))]),
    ...llm.map((one) => languageModel(one, names(one.vendor, 'llm_model'), reachOf(one))),
  ]);
}

import { VENDORS } from '../vendors/list.ts';
import { settingPrefix, type SettingFacts, type Vendor } from '../vendors/vendor.ts';
import { list, text, url } from './readers.ts';
import { secret, setting, type Setting } from './setting.ts';

/** The settings of one vendor's account, under its prefix. */
export function settingsOfVendor(vendor: Vendor): Readonly<Record<string, Setting<unknown>>> {
  const { stt, llm, tts, s2s } = vendor;
  const settings: Record<string, Setting<unknown>> = {};
  const add = (
    name: string,
    facts: SettingFacts | undefined,
    read: (raw: string) => unknown = text,
  ): void => {
    if (facts === undefined) return;
    settings[`${settingPrefix(vendor.name)}_${name}`] = setting(facts.default ?? null, read, facts.about);
  };
  if (vendor.apiKey !== undefined) {
    settings[`${settingPrefix(vendor.name)}_API_KEY`] = secret(text, vendor.apiKey.about);
  }
  add('BASE_URL', vendor.baseUrl, url('http', 'https'));
  add('STT_BASE_URL', stt?.baseUrl, url('http', 'https'));
  add('TTS_BASE_URL', tts?.baseUrl, url('http', 'https'));
  add('MODEL_DIR', vendor.modelDir);
  add('MODEL', stt?.model);
  add(modelSetting(vendor), llm?.model);
  add('S2S_MODEL', s2s?.model);
  add('TTS_MODEL', tts?.model);
  add('VOICE', vendor.voice);
  if (vendor.served !== undefined) add('LANGUAGES', { default: '', ...vendor.served }, list(text));
  return settings;
}

/** The setting of a language model, without the prefix: `MODEL` belongs to the recogniser where the vendor has one. */
export const modelSetting = ({ stt }: Vendor): string => (stt === undefined ? 'MODEL' : 'LLM_MODEL');

/** The settings of every vendor of the list. */
export const VENDOR_SETTINGS: Readonly<Record<string, Setting<unknown>>> = Object.assign(
  {},
  ...VENDORS.map(settingsOfVendor),
);

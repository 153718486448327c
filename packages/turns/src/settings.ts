import type { Language } from '@callwright/language';
import { SENSITIVITY } from './interruption-rules.ts';
import type { Expected } from './turn/ports.ts';
import type { KeyRules, TurnSettings } from './turn/types.ts';
import { expectedFrom, hearsOf } from './turn/policies/hearing.ts';
import { wordingOf } from './turn/policies/wording.ts';

/** The conversation settings of a version's configuration, under their wire names, in seconds. */
export interface TurnConfig {
  callConfig: {
    max_call_length?: number;
    idle_timeout_warning?: number;
    idle_timeout_end?: number;
    mute_during_intro?: boolean;
  };
  /** First message, variables rendered. */
  introMessage: string;
  language: Language;
  secondaryLanguage?: Language | null;
  direction: 'outbound' | 'inbound' | 'webcall';
  muteWhileAgentSpeaks?: boolean;
  interruptionSensitivity?: 'low' | 'default' | 'high';
  /** The expected answer to the first message, if the brain knows it. */
  introExpected?: Expected;
  /** False: no speech recognition, so the agent offers keys right after the first message. Default true. */
  understandsSpeech?: boolean;
  /** Only the expected phrases are recognised. */
  onlyPhrases?: boolean;
  /** The agent speaks again right after the first message. */
  goesOnAfterIntro?: true;
  /** The agent's own rules for keys. */
  keys?: KeyRules;
  /** The brain words the check-in. */
  checksIn?: true;
  start?: TurnSettings['start'];
  tools?: TurnSettings['tools'];
  fillers?: TurnSettings['fillers'];
  /** Call length that the balance covers, ms; absent: unlimited. */
  affordableMs?: number;
}

/** The settings of one call; defaults are those of the interface's call_config table. */
export function turnSettings(config: TurnConfig): TurnSettings {
  const { callConfig, language, direction, secondaryLanguage } = config;
  const wording = wordingOf(language, secondaryLanguage ?? null);
  const maxCallMs = (callConfig.max_call_length ?? 240) * 1_000;
  return {
    introMessage: config.introMessage,
    muteDuringIntro: callConfig.mute_during_intro ?? true,
    muteWhileAgentSpeaks: config.muteWhileAgentSpeaks ?? false,
    idleWarningMs: (callConfig.idle_timeout_warning ?? 5) * 1_000,
    idleEndMs: (callConfig.idle_timeout_end ?? 10) * 1_000,
    maxCallMs: Math.max(0, Math.min(maxCallMs, config.affordableMs ?? maxCallMs)),
    endpointing: {
      prepareMs: 80,
      completeMs: 280,
      questionMs: 200,
      defaultMs: 780,
      patientMs: 1_200,
      pauseMs: 2_300,
      holdMs: 5_000,
    },
    interruption: SENSITIVITY[config.interruptionSensitivity ?? 'default'],
    ...wording,
    speaksFirst: direction === 'outbound',
    ...hearing(config),
    ...(config.keys === undefined ? {} : { keys: config.keys }),
    ...(config.checksIn === undefined ? {} : { checksIn: config.checksIn }),
    ...(config.start === undefined ? {} : { start: config.start }),
    ...(config.tools === undefined ? {} : { tools: config.tools }),
    ...(config.fillers === undefined ? {} : { fillers: config.fillers }),
    ...(config.understandsSpeech === false || config.goesOnAfterIntro === true
      ? { goesOnAfterIntro: true }
      : {}),
    // Twice this plus the apology stays below 8 s of silence.
    replyTimeoutMs: 3_500,
  };
}

/** What is understood of the caller, and the answer to the first message. */
function hearing(config: TurnConfig): Pick<TurnSettings, 'hears' | 'introExpected'> {
  const { introMessage, language, introExpected } = config;
  const { understandsSpeech = true, onlyPhrases = false } = config;
  const heard = hearsOf({ understandsSpeech, onlyPhrases });
  const hears: Pick<TurnSettings, 'hears'> = heard === null ? {} : { hears: heard };
  const expected = introExpected ?? expectedFrom(introMessage, { ...hears, language });
  return expected === null ? hears : { ...hears, introExpected: expected };
}

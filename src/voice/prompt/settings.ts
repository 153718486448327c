import type { Language } from '../../shared/languages.ts';
import type { Expected } from '../ports.ts';
import type { KeyRules, TurnSettings } from '../turn/types.ts';
import { phrasesFor } from './phrases.ts';

/** The parts of a version's configuration that shape the conversation, under their wire names, in seconds. */
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
  direction: 'outbound' | 'inbound' | 'webcall';
  muteWhileAgentSpeaks?: boolean;
  interruptionSensitivity?: 'low' | 'default' | 'high';
  /** What the first message asks for, where the brain knows. */
  introExpected?: Expected;
  /** False: answers come by keypad, so the agent offers keys right after the first message. Default true. */
  understandsSpeech?: boolean;
  /** The agent's own rules for keys. */
  keys?: KeyRules;
  tools?: TurnSettings['tools'];
  fillers?: TurnSettings['fillers'];
  /** What the balance covers, ms; absent: no bound. */
  affordableMs?: number;
}

/** How much speech stops the agent. */
const SENSITIVITY = {
  low: { minSpeechMs: 300, minWords: 2 },
  default: { minSpeechMs: 100, minWords: 1 },
  high: { minSpeechMs: 60, minWords: 1 },
} as const;

/** The settings of one call; defaults are those of the interface's call_config table. */
export function turnSettings(config: TurnConfig): TurnSettings {
  const { callConfig, language, direction } = config;
  const wording = phrasesFor(language);
  const maxCallMs = (callConfig.max_call_length ?? 240) * 1_000;
  return {
    introMessage: config.introMessage,
    muteDuringIntro: callConfig.mute_during_intro ?? true,
    muteWhileAgentSpeaks: config.muteWhileAgentSpeaks ?? false,
    idleWarningMs: (callConfig.idle_timeout_warning ?? 5) * 1_000,
    idleEndMs: (callConfig.idle_timeout_end ?? 10) * 1_000,
    maxCallMs: Math.max(0, Math.min(maxCallMs, config.affordableMs ?? maxCallMs)),
    endpointing: { prepareMs: 80, completeMs: 280, defaultMs: 700, patientMs: 1_200 },
    interruption: SENSITIVITY[config.interruptionSensitivity ?? 'default'],
    ...wording,
    language,
    speaksFirst: direction === 'outbound',
    ...(config.introExpected === undefined ? {} : { introExpected: config.introExpected }),
    ...(config.keys === undefined ? {} : { keys: config.keys }),
    ...(config.tools === undefined ? {} : { tools: config.tools }),
    ...(config.fillers === undefined ? {} : { fillers: config.fillers }),
    ...(config.understandsSpeech === false ? { goesOnAfterIntro: true } : {}),
    // Twice this and the apology stay below 8 s of dead air.
    replyTimeoutMs: 3_500,
  };
}

import type { BrainContext, LlmSession } from '../providers/ports/model.ts';
import type { SampleRate } from '@callwright/audio';
import type { SttOptions, SttProvider } from '../providers/ports/recogniser.ts';
import type { TtsOptions } from '../providers/ports/voice.ts';
import { speakable, spokenFirst } from '../voice/prompt/leave-out.ts';
import { type AnswerSettings, type TurnSettings, turnSettings } from '@callwright/turns';
import type { CallSpec } from './protocol.ts';
import { menuSteps } from '@callwright/language';
import { goesOnAfterIntro } from '../providers/ports/open-brain.ts';
import { brainContext, firstWords } from '../providers/ports/brain-context.ts';

/** Options of each provider session of a call. */
export interface Talk {
  readonly context: BrainContext;
  readonly hearing: Omit<SttOptions, 'onEvent'>;
  readonly voice: TtsOptions;
}

export const talkOf = (
  spec: CallSpec,
  stt: Pick<SttProvider, 'understands' | 'onlyPhrases'>,
  sampleRate: SampleRate,
): Talk => ({
  context: brainContext(spec, {
    understandsSpeech: stt.understands(spec.agent.language),
    onlyPhrases: stt.onlyPhrases?.(spec.agent.language) ?? false,
  }),
  hearing: {
    language: spec.agent.language,
    secondaryLanguage: spec.agent.secondaryLanguage,
    sampleRate,
    vocab: spec.agent.vocab,
  },
  voice: {
    voiceKey: spec.agent.voiceKey,
    language: spec.agent.language,
    speed: spec.agent.voiceSpeed,
    sampleRate,
  },
});

/** Settings of machine detection; null: off. `introduces`: the brain's own introduction, if any. */
export function answerSettings(spec: CallSpec, introduces: string | undefined): AnswerSettings | null {
  const { voicemail } = spec.agent;
  if (voicemail === undefined || spec.direction !== 'outbound') return null;
  const introduction = introduces ?? statements(firstWords(spec));
  const messages = {
    end: '',
    summarise: introduction,
    static_message: spokenFirst(voicemail.staticMessage ?? '', spec.variables, spec.agent.language),
  };
  const message = messages[voicemail.action];
  const task = speakable(spec.agent.prompt, spec.variables, spec.agent.language);
  return { message: message === '' ? null : message, introduction, menu: menuSteps(task) };
}

/** The first message without its questions, which a machine does not answer; the whole message if only questions remain. */
function statements(text: string): string {
  const stated = text
    .match(/(?<![^.!?。！？।؟])[^.!?。！？।؟]+[.!。！।]+/gu)
    ?.join('')
    .trim();
  return stated === undefined || stated === '' ? text : stated;
}

const SENSITIVITIES = ['low', 'default', 'high'] as const;

/** Settings of the turn machine for this call. */
export function conversationSettings(
  spec: CallSpec,
  context: BrainContext,
  { expectsFirst, checksIn }: Pick<LlmSession, 'expectsFirst' | 'checksIn'>,
): TurnSettings {
  const { agent } = spec;
  return turnSettings({
    callConfig: {
      max_call_length: spec.maxCallMs / 1000,
      idle_timeout_warning: agent.idleWarningSeconds,
      idle_timeout_end: agent.idleEndSeconds,
      mute_during_intro: agent.muteDuringIntro,
    },
    introMessage: context.introMessage,
    language: agent.language,
    secondaryLanguage: agent.secondaryLanguage,
    direction: spec.direction,
    muteWhileAgentSpeaks: agent.muteWhileAgentSpeaks,
    interruptionSensitivity:
      SENSITIVITIES.find((level) => level === agent.interruptionSensitivity) ?? 'default',
    ...startOf(spec),
    affordableMs: spec.maxCallMs,
    ...(agent.keys === undefined ? {} : { keys: agent.keys }),
    tools: toolRules(context.tools),
    ...(spec.fillers === undefined ? {} : { fillers: spec.fillers }),
    understandsSpeech: context.understandsSpeech,
    ...(goesOnAfterIntro(context) ? { goesOnAfterIntro: true } : {}),
    ...(context.onlyPhrases === true ? { onlyPhrases: true } : {}),
    ...(expectsFirst === undefined ? {} : { introExpected: expectsFirst }),
    ...(checksIn === undefined ? {} : { checksIn }),
  });
}

/** On outbound calls the agent waits this long for a hello. */
const HELLO_MS = 700;

/** The start rule; none: the agent speaks at once. */
function startOf({ agent, direction }: CallSpec): { start?: NonNullable<TurnSettings['start']> } {
  const { mode, delayMs, limitMs } = agent.firstSpeaker;
  if (mode === 'caller') return { start: { after: 'caller', waitMs: limitMs } };
  if (mode === 'agent') return delayMs === 0 ? {} : { start: { after: 'delay', waitMs: delayMs } };
  return direction === 'outbound' ? { start: { after: 'hello', waitMs: HELLO_MS } } : {};
}

export const toolRules = (tools: BrainContext['tools']): NonNullable<TurnSettings['tools']> =>
  Object.fromEntries(
    tools.map(({ name, kind, timeoutMs, keys }) => [
      name,
      {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(keys === undefined ? {} : { keys }),
        ...(kind === 'send_keys' || kind === 'wait_for_keys' ? { repeats: true } : {}),
      },
    ]),
  );

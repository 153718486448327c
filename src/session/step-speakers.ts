import type { Interruption } from '@callwright/turns';
import type { TtsOptions, TtsProvider, TtsSession } from '../providers/ports/voice.ts';
import type { AgentSnapshot } from './protocol.ts';
import { inSpokenForms, spokenForm } from './spoken-forms.ts';
import type { SpokenForm } from './word-places.ts';

/** How an agent sounds in a step of its flow. */
export interface StepSound {
  /** Null: by the agent's own voice. */
  readonly tts: TtsSession | null;
  readonly interruption: Interruption;
}

const RULES: readonly Interruption[] = ['low', 'default', 'high'];

/** The voices and interruption rules of the steps of an agent's flow. A voice opens when a step first speaks with it. */
export class StepSpeakers {
  readonly #tts: TtsProvider;
  readonly #agent: AgentSnapshot;
  readonly #voice: TtsOptions;
  readonly #opened = new Map<string, TtsSession>();

  constructor(tts: TtsProvider, agent: AgentSnapshot, voice: TtsOptions) {
    this.#tts = tts;
    this.#agent = agent;
    this.#voice = voice;
  }

  /** Null: the agent speaks outside the steps that sound otherwise. */
  of(step: string | null): StepSound {
    const { flow, muteWhileAgentSpeaks, interruptionSensitivity } = this.#agent;
    const nodes =
      step === null || flow === undefined ? [] : [...flow.document.nodes, ...(flow.document.global ?? [])];
    const node = nodes.find(({ id }) => id === step);
    const { voice, interruption } = node?.type === 'talk' ? node : {};
    const own = muteWhileAgentSpeaks
      ? 'none'
      : (RULES.find((rule) => rule === interruptionSensitivity) ?? 'default');
    return { tts: this.#speaker(voice), interruption: interruption ?? own };
  }

  /** A sentence as its voice speaks it. */
  formOf(text: string): SpokenForm {
    return spokenForm(text, this.#agent);
  }

  close(): void {
    for (const tts of this.#opened.values()) tts.close();
    this.#opened.clear();
  }

  #speaker(voiceId: string | undefined): TtsSession | null {
    const voiceKey = this.#agent.stepVoices?.[voiceId?.toLowerCase() ?? ''];
    if (voiceKey === undefined) return null;
    const known = this.#opened.get(voiceKey);
    if (known !== undefined) return known;
    const made = inSpokenForms(this.#tts.open({ ...this.#voice, voiceKey }), this.#agent);
    this.#opened.set(voiceKey, made);
    return made;
  }
}

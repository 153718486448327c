import { readAloud } from '@callwright/language';
import type { Providers } from '../providers/choose/installation.ts';
import { NO_RECOGNISER } from '../providers/stt/no-recogniser.ts';
import { firstWords } from '../providers/ports/brain-context.ts';
import { talkOf } from '../session/settings.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { Chosen } from '../providers/choose/open.ts';
import type { CallHostDeps } from './call-host.ts';
import type { HostedCall } from './hosted-call.ts';
import type { CallSpec } from '../session/protocol.ts';

type ProvidedCall = Pick<HostedCall, 'leg' | 'chosen' | 'others' | 'finishing'>;
type Deps = Pick<CallHostDeps, 'providers' | 'chosen' | 'log'>;

const hasChosen = (spec: CallSpec): spec is CallSpec & { providers: CallProviders } =>
  Object.values(spec.providers ?? {}).some((part) => part !== undefined);

const withoutRecogniser = ({ vad, tts, llm }: Providers): Providers => ({
  vad,
  tts,
  llm,
  stt: NO_RECOGNISER,
});

/** The providers of each call: the installation's, or those that agent and workspace chose. */
export class SessionProviders {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Call `load` first. */
  of(call: ProvidedCall, spec: CallSpec): Providers {
    const { providers, chosen } = this.#deps;
    if (hasChosen(spec)) call.chosen ??= chosen.of(spec.providers);
    const found = call.chosen?.providers ?? providers;
    return spec.announcement === undefined ? found : withoutRecogniser(found);
  }

  /** The model and the voice of an agent that takes the call over; the call releases them with its own. */
  async next(call: ProvidedCall, spec: CallSpec): Promise<Pick<Providers, 'llm' | 'tts' | 'stepModels'>> {
    const { providers, chosen } = this.#deps;
    if (!hasChosen(spec)) return providers;
    const { llm, tts, stepModels } = spec.providers;
    const parts = {
      ...(llm === undefined ? {} : { llm }),
      ...(tts === undefined ? {} : { tts }),
      ...(stepModels === undefined ? {} : { stepModels }),
    };
    if (chosen.lacks(parts)) await chosen.load(parts);
    const made = chosen.of(parts);
    if (call.finishing) made.release();
    else call.others.push(made);
    return made.providers;
  }

  /** Connects to the vendors of an agent that may take the call over. A failure costs time only. */
  prepareNext(call: ProvidedCall, spec: CallSpec): void {
    const { log } = this.#deps;
    void this.next(call, spec)
      .then(({ llm, tts }) => {
        llm.warm?.();
        warmVoice(tts, call, spec, firstWords(spec));
      })
      .catch((error: unknown) =>
        log.warn({ err: error, callId: spec.callId }, 'the next agent could not be prepared ahead'),
      );
  }

  /** Connects while the call rings. A failure costs time only: the call rings on, and is answered with what works then. */
  warm(call: ProvidedCall, spec: CallSpec): void {
    const { log } = this.#deps;
    void this.#warm(call, spec).catch((error: unknown) =>
      log.warn({ err: error, callId: spec.callId }, 'vendors could not be connected to early'),
    );
  }

  async #warm(call: ProvidedCall, spec: CallSpec): Promise<void> {
    const chosen = hasChosen(spec) ? await this.#keepChosen(call, spec) : null;
    if (chosen === null && hasChosen(spec)) return;
    const { llm, tts } = chosen?.providers ?? this.#deps.providers;
    llm.warm?.();
    const first = spec.announcement ?? firstWords(spec);
    if (first !== '') warmVoice(tts, call, spec, first);
    chosen?.ring(talkOf(spec, chosen.providers.stt, call.leg.sampleRate));
  }

  /** The call keeps the providers that it warms: a speech-to-speech vendor's connection is its own. Null: it has others. */
  async #keepChosen(
    call: ProvidedCall,
    spec: CallSpec & { providers: CallProviders },
  ): Promise<Chosen | null> {
    await this.load(spec);
    if (call.finishing || call.chosen !== null) return null;
    call.chosen = this.#deps.chosen.of(spec.providers);
    return call.chosen;
  }

  /** Loads what the call's providers need; null: it is there. */
  load(spec: CallSpec): Promise<unknown> | null {
    const { chosen } = this.#deps;
    return hasChosen(spec) && chosen.lacks(spec.providers) ? chosen.load(spec.providers) : null;
  }
}

function warmVoice(tts: Providers['tts'], { leg }: ProvidedCall, { agent }: CallSpec, text: string): void {
  const { voiceKey, language, voiceSpeed: speed } = agent;
  tts.warm?.({ voiceKey, language, speed, sampleRate: leg.sampleRate }, readAloud(text, language).text);
}

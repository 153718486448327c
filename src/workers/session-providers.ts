import { readAloud } from '@callwright/language';
import type { Providers } from '../providers/choose/installation.ts';
import { firstWords, talkOf } from '../session/settings.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { Chosen } from '../providers/choose/open.ts';
import type { CallHostDeps } from './call-host.ts';
import type { HostedCall } from './hosted-call.ts';
import type { CallSpec } from './protocol.ts';

type ProvidedCall = Pick<HostedCall, 'leg' | 'chosen' | 'finishing'>;
type Deps = Pick<CallHostDeps, 'providers' | 'models' | 'chosen' | 'log'>;

const hasChosen = (spec: CallSpec): spec is CallSpec & { providers: CallProviders } =>
  Object.values(spec.providers ?? {}).some((part) => part !== undefined);

/** The providers of each call: the installation's, or those that agent and workspace chose. */
export class SessionProviders {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Call `load` first. */
  of(call: ProvidedCall, spec: CallSpec): Providers {
    const { models, providers } = this.#deps;
    if (hasChosen(spec)) call.chosen ??= this.#choose(spec);
    const own = spec.llm?.own == null ? {} : { llm: models.of(spec.llm.own) };
    return call.chosen?.providers ?? { ...providers, ...own };
  }

  /** Connects while the call rings. A failure costs time only: the call rings on, and is answered with what works then. */
  warm(call: ProvidedCall, spec: CallSpec): void {
    const { log } = this.#deps;
    void Promise.all([this.#warmOwnModel(spec), this.#warmProviders(call, spec)]).catch((error: unknown) =>
      log.warn({ err: error, callId: spec.callId }, 'vendors could not be connected to early'),
    );
  }

  async #warmOwnModel({ llm }: CallSpec): Promise<void> {
    if (llm?.own == null) return;
    const { models } = this.#deps;
    await models.load();
    models.of(llm.own).warm?.();
  }

  async #warmProviders(call: ProvidedCall, spec: CallSpec): Promise<void> {
    const chosen = hasChosen(spec) ? await this.#keepChosen(call, spec) : null;
    if (chosen === null && hasChosen(spec)) return;
    const { llm, tts } = chosen?.providers ?? this.#deps.providers;
    if (spec.llm?.own == null) llm.warm?.();
    const first = firstWords(spec);
    const { voiceKey, language, voiceSpeed: speed } = spec.agent;
    const voice = { voiceKey, language, speed, sampleRate: call.leg.sampleRate };
    if (first !== '') tts.warm?.(voice, readAloud(first, language).text);
    chosen?.ring(talkOf(spec, chosen.providers.stt, call.leg.sampleRate));
  }

  /** The call keeps the providers that it warms: a speech-to-speech vendor's connection is its own. Null: it has others. */
  async #keepChosen(
    call: ProvidedCall,
    spec: CallSpec & { providers: CallProviders },
  ): Promise<Chosen | null> {
    await this.load(spec);
    if (call.finishing || call.chosen !== null) return null;
    call.chosen = this.#choose(spec);
    return call.chosen;
  }

  /** Loads what the call's providers need; null: it is there. */
  load(spec: CallSpec): Promise<unknown> | null {
    const { models, chosen } = this.#deps;
    const loads = [
      ...(spec.llm?.own == null || models.isLoaded ? [] : [models.load()]),
      ...(!hasChosen(spec) || chosen.isLoaded ? [] : [chosen.load()]),
    ];
    return loads.length === 0 ? null : Promise.all(loads);
  }

  #choose(spec: CallSpec & { providers: CallProviders }): Chosen {
    const { models, chosen } = this.#deps;
    return chosen.of(spec.providers, spec.llm?.own == null ? null : models.of(spec.llm.own));
  }
}

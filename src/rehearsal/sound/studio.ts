import { type Lateness, PortPool, Wheel } from '@callwright/rtp';
import { createProviders, OFFLINE_PROVIDERS, type Providers } from '../../providers/choose/installation.ts';
import type { Clock } from '../../shared/clock.ts';
import { silentLog } from '../../shared/log.ts';
import { REHEARSED_AT } from '../play/play-call.ts';
import { Exchange } from './exchange.ts';
import type { RecogniserName } from './recognisers.ts';

/** What the calls of a rehearsal by sound share: voices, recognisers, SIP, RTP and the clock. */
export class Studio {
  readonly clock: Clock;
  readonly recogniser: RecogniserName;
  readonly providers: Omit<Providers, 'llm'>;
  readonly exchange: Exchange;
  readonly wheel: Wheel;
  readonly ports: PortPool;

  /** `modelsDir`: the models for every word; null: expected phrases, and turns end by the rules. */
  static async open(options: {
    readonly recogniser: RecogniserName;
    readonly modelsDir: string | null;
  }): Promise<Studio> {
    const { recogniser, modelsDir } = options;
    const clock = rehearsedClock();
    const providers = await createProviders(
      modelsDir === null ? OFFLINE_PROVIDERS : { ...OFFLINE_PROVIDERS, modelsDir },
    );
    return new Studio(recogniser, clock, providers, await Exchange.start(clock, silentLog));
  }

  private constructor(
    recogniser: RecogniserName,
    clock: Clock,
    providers: Omit<Providers, 'llm'>,
    exchange: Exchange,
  ) {
    this.recogniser = recogniser;
    this.clock = clock;
    this.providers = providers;
    this.exchange = exchange;
    this.wheel = new Wheel({ clock });
    this.ports = new PortPool({ range: null, clock });
    this.wheel.start();
  }

  /** Of callers that name no voice. Expected phrases are heard best in the first one; natural speech is what other recognisers know. */
  get usualVoice(): 'man' | 'natural_woman' {
    return this.recogniser === 'words' ? 'natural_woman' : 'man';
  }

  /** How late the audio of its calls was sent. */
  lateness(): Lateness {
    return this.wheel.lateness();
  }

  async close(): Promise<void> {
    await this.exchange.stop();
    this.wheel.stop();
    const { stt, tts, turn } = this.providers;
    await Promise.all([stt.close(), tts.close(), turn?.close()]);
  }
}

/** Real time from the Monday on which every rehearsed call takes place. */
function rehearsedClock(): Clock {
  const begun = performance.now();
  return {
    now: () => REHEARSED_AT + (performance.now() - begun),
    monotonic: () => performance.now(),
  };
}

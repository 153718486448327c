import { eventually, type Service } from '../../test/helpers/service/service.ts';
import { callService, type SipPeer } from '../../test/helpers/sip/sip-peer.ts';
import { holdCall } from './call.ts';
import { callerOf, linesOf } from './script.ts';
import { OURS, startBenchService } from './service.ts';
import { synthesise } from './voices.ts';

/** How the calls went that the machine says it can hear at once. */
export interface Promised {
  readonly calls: number;
  /** Calls that ended after the goodbyes. */
  readonly whole: number;
  /** The highest 99th percentile of late media ticks, ms. */
  readonly lateMs: number;
  /** One call more heard busy. */
  readonly isRefused: boolean;
}

const EACH_MS = 1_000;

async function metric(service: Service, name: string): Promise<number | null> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const found = new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/** Holds as many calls at once as the recogniser has slots on this machine, and tries one more. */
export async function holdPromised(peer: SipPeer, modelsDir: string): Promise<Promised> {
  const service = await startBenchService(peer, { MODELS_DIR: modelsDir });
  const late: number[] = [];
  const sampling = setInterval(() => {
    void metric(service, 'callwright_late_tick_p99_ms').then(
      (ms) => late.push(ms ?? 0),
      () => undefined,
    );
  }, EACH_MS);
  try {
    const calls = await eventually('the recogniser to be measured', () =>
      metric(service, 'callwright_recogniser_slots'),
    );
    const callers = Array.from({ length: calls }, (_, n) => callerOf(n));
    // More callers than the calls before had, where the machine promises more.
    synthesise(
      callers.flatMap((caller) => linesOf(caller).map((text) => ({ text, voice: caller.voice }))),
      modelsDir,
    );
    // The first call loads the voice.
    await holdCall(service, peer, OURS, { caller: callerOf(0), n: 999, isNoisy: false });
    late.length = 0;
    const held = callers.map((caller, n) => holdCall(service, peer, OURS, { caller, n, isNoisy: false }));
    await eventually('every call to be live', async () =>
      (await metric(service, 'callwright_recogniser_calls')) === calls ? true : null,
    );
    const more = await callService(peer, '+14155568888', OURS).then(
      (talk) => {
        talk.leg.hangup('normal');
        return null;
      },
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const ends = (await Promise.all(held)).map(({ endReason }) => endReason);
    return {
      calls,
      whole: ends.filter((reason) => reason === 'AGENT_ENDED' || reason === 'USER_LEFT').length,
      lateMs: Math.max(0, ...late),
      isRefused: more?.startsWith('486') === true,
    };
  } finally {
    clearInterval(sampling);
    await service.dispose();
  }
}

import { FakeCarrierApi, fakeCarrierAccount, fakeTrunkSettings } from '@callwright/stand-ins';
import type { Callees, Ring } from './callees.ts';
import type { Dice } from './dice.ts';

/** The attempt that the address of the reports names. */
const ATTEMPT = /\/status\/([0-9a-f-]{36}-\d+)$/;

/**
 * A carrier with an API as the callees behind a trunk: reports come twice and out of order. The last digits of the number select the
 * callee's behaviour as SIPp's callees have it; 5 answers, but the answer to the place request is lost.
 */
export async function startCarrierCallees(dice: Dice): Promise<Callees> {
  const account = fakeCarrierAccount('twilio');
  const rings: Ring[] = [];
  const api = new FakeCarrierApi(account);
  Object.assign(api.settings, { duplicates: true, disorder: true, stream: { jitterMs: 40, swapEvery: 7 } });
  api.settings.phoneOf = (number) => ({
    callee: calleeOf(number),
    sipCode: number.endsWith('7') ? 503 : 480,
    ringMs: dice.int(20, 600),
    talkMs: dice.int(300, 2_000),
    losesAnswers: number.endsWith('5'),
  });
  api.settings.onPlaced = ({ to, statusUrl }) =>
    rings.push({ at: Date.now(), callId: ATTEMPT.exec(statusUrl ?? '')?.[1] ?? 'no attempt', to });
  const uri = await api.listen();
  return {
    trunk: { kind: 'twilio', uri, ...fakeTrunkSettings(account) },
    isRunning: () => true,
    rings: () => [...rings],
    output: () => '',
    stop: () => api.close(),
  };
}

function calleeOf(number: string): FakeCarrierApi['settings']['callee'] {
  if (/[68]$/.test(number)) return 'busy';
  if (number.endsWith('7')) return 'fails';
  if (/[02468]9$/.test(number)) return 'rings';
  return /[13579]9$/.test(number) ? 'fails' : 'answers';
}

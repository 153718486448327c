import { afterEach, beforeEach, expect, test } from 'vitest';
import { startKamailio, type Kamailio } from '../helpers/sip/kamailio.ts';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import { hangUpSoon, place, SDP } from '../helpers/sip/placed-call.ts';
import { closeLater, closePlanes, counting, portOf, startPlane, trunkTo } from '../helpers/sip/sip-plane.ts';
import type { SipSignalling } from '../../src/telephony/signalling.ts';

const USER = 'agent';
const [FIRST, SECOND] = ['0190a0a0-0000-7000-8000-000000000001', '0190a0a0-0000-7000-8000-000000000002'];

interface Process {
  readonly signalling: SipSignalling;
  /** The Contact of its REGISTER. */
  readonly contact: string;
}

let kamailio: Kamailio;
let caller: SipSignalling;
/** Contacts that an INVITE has reached. */
let reached: string[] = [];
beforeEach(async () => {
  reached = [];
  const trustedPort = await freePort();
  kamailio = await startKamailio({ calleePort: 9, trustedPort, maxContacts: 10 });
  closeLater(() => kamailio.stop());
  caller = await startPlane([trunkTo(kamailio.port)], { udpPort: trustedPort, tcpPort: null });
});
afterEach(closePlanes);

/** Registers the user from a process of its own. The first that an INVITE reaches answers it, and the others refuse it. */
async function registered(trunkId: string): Promise<Process> {
  const signalling = await startPlane([
    trunkTo(kamailio.port, { id: trunkId, username: USER, password: 's3cret', register: true }),
  ]);
  const contact = `sip:${USER}@127.0.0.1:${portOf(signalling, 'udp')}`;
  signalling.onInbound((leg) => {
    reached.push(contact);
    if (reached.length > 1) {
      leg.reject(482);
      return;
    }
    leg.listen(counting({ ends: 0 }));
    leg.answer(SDP);
  });
  await until(() => signalling.health().trunks[0]?.registered === true, 'the account is registered');
  return { signalling, contact };
}

/** Calls the user, who answers once: the INVITE reaches these Contacts. */
async function expectCallAt(...contacts: readonly string[]): Promise<void> {
  reached = [];
  const call = place(caller, { to: USER, onAnswer: hangUpSoon });
  await call.over();
  expect(call.log).toEqual(['answered', 'ended agent']);
  await expect.poll(() => reached.toSorted()).toEqual(contacts.toSorted());
}

test('two accounts of one user have a binding each, which a call reaches and the other’s un-REGISTER leaves', async () => {
  const first = await registered(FIRST);
  const second = await registered(SECOND);
  const both = [first.contact, second.contact].toSorted();
  expect((await kamailio.bindings(USER)).toSorted()).toEqual(both);
  await expectCallAt(...both);
  await first.signalling.drain();
  expect(await kamailio.bindings(USER)).toEqual([second.contact]);
  await expectCallAt(second.contact);
});

test('the process that takes an account over replaces the binding, which a late un-REGISTER of the last one leaves', async () => {
  // It hung and lost the account meanwhile, and goes on now.
  const late = await registered(FIRST);
  const next = await registered(FIRST);
  expect(await kamailio.bindings(USER)).toEqual([next.contact]);
  await late.signalling.drain();
  expect(await kamailio.bindings(USER)).toEqual([next.contact]);
  await expectCallAt(next.contact);
  await next.signalling.drain();
  expect(await kamailio.bindings(USER)).toEqual([]);
});

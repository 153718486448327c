import { afterEach, expect, test } from 'vitest';
import { startKamailio, type Kamailio, type KamailioOptions } from '../helpers/sip/kamailio.ts';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import { hangUpSoon, place, SDP } from '../helpers/sip/placed-call.ts';
import { closeLater, closePlanes, counting, portOf, startPlane, trunkTo } from '../helpers/sip/sip-plane.ts';
import type { SipSignalling } from '../../src/telephony/signalling.ts';
import { lineOf, withLine } from '../../src/telephony/trunks/binding.ts';
import type { Trunk } from '../../src/telephony/trunks/trunk.ts';

const USER = 'agent';
/** Numbers of the user in two domains. */
const TENANTS = { north: '2001', south: '2002' } as const;
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
async function start(options: Partial<KamailioOptions>): Promise<void> {
  reached = [];
  const trustedPort = await freePort();
  kamailio = await startKamailio({ calleePort: 9, trustedPort, ...options });
  closeLater(() => kamailio.stop());
  caller = await startPlane([trunkTo(kamailio.port)], { udpPort: trustedPort, tcpPort: null });
}
afterEach(closePlanes);

const accountOf = (id: string, patch: Partial<Trunk> = {}): Trunk =>
  trunkTo(kamailio.port, { id, name: id, username: USER, password: 's3cret', register: true, ...patch });
const contactOf = (signalling: SipSignalling, trunkId: string): string =>
  withLine(`sip:${USER}@127.0.0.1:${portOf(signalling, 'udp')}`, lineOf(trunkId));
const whenRegistered = (signalling: SipSignalling): Promise<void> =>
  until(
    () => signalling.health().trunks.every(({ registered }) => registered === true),
    'the accounts are registered',
  );

/** Registers the user from a process of its own. The first that an INVITE reaches answers it, and the others refuse it. */
async function registered(trunkId: string): Promise<Process> {
  const signalling = await startPlane([accountOf(trunkId)]);
  const contact = contactOf(signalling, trunkId);
  signalling.onInbound((leg) => {
    reached.push(contact);
    if (reached.length > 1) {
      leg.reject(482);
      return;
    }
    leg.listen(counting({ ends: 0 }));
    leg.answer(SDP);
  });
  await whenRegistered(signalling);
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

test('two accounts of one user in two processes have a binding each, which a call reaches and the other’s un-REGISTER leaves', async () => {
  await start({ maxContacts: 10 });
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
  await start({ maxContacts: 10 });
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

test('two accounts of one user in one process have a binding each, of which a call reaches one and an un-REGISTER leaves one', async () => {
  await start({ maxContacts: 10 });
  const signalling = await startPlane([FIRST, SECOND].map((id) => accountOf(id)));
  const taken: (readonly string[])[] = [];
  signalling.onInbound((leg) => {
    taken.push(leg.trunkIds);
    leg.listen(counting({ ends: 0 }));
    leg.answer(SDP);
  });
  await whenRegistered(signalling);
  const contacts = [FIRST, SECOND].map((id) => contactOf(signalling, id)).toSorted();
  expect((await kamailio.bindings(USER)).toSorted()).toEqual(contacts);
  const call = place(caller, { to: USER, onAnswer: hangUpSoon });
  await call.over();
  expect(call.log).toEqual(['answered', 'ended agent']);
  // Kamailio forks it to both Contacts; the second INVITE of one call is refused.
  expect(taken.map((ids) => ids.toSorted())).toEqual([[FIRST, SECOND]]);
  signalling.setTrunks([accountOf(SECOND)]);
  await expect.poll(() => kamailio.bindings(USER)).toEqual([contactOf(signalling, SECOND)]);
});

test('calls to one user in two domains reach the trunk of the domain, though both registered from one address', async () => {
  const accounts = Object.fromEntries(
    Object.entries(TENANTS).map(([tenant, number]) => [number, `${USER}@${tenant}.example`]),
  );
  await start({ hasDomains: true, accounts });
  const signalling = await startPlane(
    Object.keys(TENANTS).map((tenant) =>
      accountOf(tenant, { outgoing: { fromDomain: `${tenant}.example` } }),
    ),
  );
  const taken: (string | undefined)[] = [];
  signalling.onInbound((leg) => {
    taken.push(leg.trunkIds[0]);
    leg.listen(counting({ ends: 0 }));
    leg.answer(SDP);
  });
  await whenRegistered(signalling);
  for (const tenant of Object.keys(TENANTS))
    expect(await kamailio.bindings(`${USER}@${tenant}.example`)).toEqual([contactOf(signalling, tenant)]);
  for (const number of [TENANTS.south, TENANTS.north, TENANTS.south]) {
    const call = place(caller, { to: number, onAnswer: hangUpSoon });
    await call.over();
    expect(call.log).toEqual(['answered', 'ended agent']);
  }
  expect(taken).toEqual(['south', 'north', 'south']);
});

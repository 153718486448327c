import { afterEach, expect, it } from 'vitest';
import type { Trunk } from '../../../src/telephony/trunks/trunk.ts';
import { until } from '../../helpers/sip/peer-process.ts';
import { closePlanes, datagrams, startPlane, trunkTo } from '../../helpers/sip/sip-plane.ts';

afterEach(closePlanes);

/** The seconds that each REGISTER asked for. */
const asked = (received: readonly string[]): string[] =>
  received.flatMap((text) => (text.startsWith('REGISTER') ? [/^Expires: (\d+)/m.exec(text)?.[1] ?? ''] : []));

/** A registrar that accepts everybody. */
async function startRegistrar() {
  const registrar = await datagrams();
  registrar.socket.on('message', (bytes, from) => {
    const lines = bytes.toString('latin1').split('\r\n');
    const kept = lines.filter((line) => /^(Via|From|To|Call-ID|CSeq|Contact):/.test(line));
    const answer = ['SIP/2.0 200 OK', ...kept, 'Content-Length: 0', '', ''].join('\r\n');
    registrar.socket.send(answer, from.port, from.address);
  });
  return registrar;
}

const account = { register: true, username: 'alice', password: 'secret' };

it('un-registers as soon as the drain begins, and not again at the stop', async () => {
  const registrar = await startRegistrar();
  const signalling = await startPlane([trunkTo(registrar.port, account)], { tcpPort: null });
  await until(() => signalling.health().trunks[0]?.registered === true, 'the trunk is registered');
  void signalling.drain();
  await until(() => asked(registrar.received).length === 2, 'the registration is removed');
  expect(asked(registrar.received)).toEqual(['300', '0']);
  await until(() => signalling.health().trunks[0]?.registered === false, 'the trunk is not registered');
  // A trunk that changes during the drain does not register again.
  signalling.setTrunks([trunkTo(registrar.port, { ...account, name: 'renamed' })]);
  await signalling.stop();
  expect(asked(registrar.received)).toEqual(['300', '0']);
});

it('registers anew after a trunk with the same user has un-registered, which may have removed the Contact of both', async () => {
  const registrar = await startRegistrar();
  const named = (id: string): Trunk => trunkTo(registrar.port, { ...account, id, name: id });
  const stays = named('stays');
  const other = trunkTo(registrar.port, { ...account, id: 'other', username: 'bob' });
  const signalling = await startPlane([stays, named('goes'), other], { tcpPort: null });
  await until(
    () => signalling.health().trunks.every(({ registered }) => registered === true),
    'all are registered',
  );
  signalling.setTrunks([stays, other]);
  await until(() => asked(registrar.received).length === 5, 'the trunk that stays registers anew');
  expect(asked(registrar.received)).toEqual(['300', '300', '300', '0', '300']);
  expect(registrar.received.at(-1)).toContain('urn:uuid:stays');
});

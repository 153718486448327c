import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLoggingCarrier, type LoggingCarrier } from '../helpers/sip/logging-carrier.ts';
import { startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, place } from '../helpers/service/scenario.ts';
import { eventually, TEST_KEY, type Service } from '../helpers/service/service.ts';

let carrier: LoggingCarrier;
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
const trunk = (name: string, change: object = {}): Record<string, unknown> => ({
  name,
  uri: `sip:127.0.0.1:${carrier.port};transport=udp`,
  username: name,
  password: 'secret',
  register: true,
  ...change,
});
const lines = [{ number: '+14155550100', trunk: 'first' }];
beforeAll(async () => {
  carrier = await startLoggingCarrier(() => 'talking');
  ({ service, close } = await startPhoneService([trunk('first')], lines));
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await close();
  await carrier?.close();
});

const file = (): string => join(service.dataDir, 'provision.json');
async function reload(text: string): Promise<void> {
  await writeFile(file(), text);
  service.child.kill('SIGHUP');
}
const withTrunks = (...trunks: readonly Record<string, unknown>[]): string =>
  JSON.stringify({ trunks, workspaces: [{ name: 'Test', api_key: TEST_KEY, numbers: lines }] });
const registered = (line: string): Promise<true> =>
  eventually(line, async () => carrier.registers.includes(line) || null);
const logged = (part: string): Promise<true> =>
  eventually(part, async () => service.output().includes(part) || null);

describe('SIGHUP', () => {
  it('changes trunks without a restart and without ending calls', async () => {
    await registered('first on');
    const agent = await createAgent(service);
    const call = await place(service, agent, '+14155550123');
    await eventually('the call', async () => (carrier.invites.length === 1 ? true : null));

    await reload('trunks: [{ name: first }, {');
    await logged('the provision file is faulty; nothing was changed');
    await expect.poll(() => service.output()).toContain('file is not valid YAML or JSON');

    // Out of service: it unregisters, its live call goes on, and the next call waits.
    await reload(withTrunks(trunk('first', { enabled: false }), trunk('second')));
    await registered('first off');
    await registered('second on');
    await logged('"removed":["first"]');
    await place(service, agent, '+14155550124');

    // A new account at the same carrier registers under its name.
    await reload(withTrunks(trunk('first', { username: 'renamed' }), trunk('second')));
    await registered('renamed on');
    await eventually('the waiting call', async () => (carrier.invites.length === 2 ? true : null));
    expect(carrier.byes.size).toBe(0);
    const { body } = await service.request('GET', `/api/v0/calling/call-details?id=${call}`);
    expect(body.data).toMatchObject({ call_status: 'ongoing' });
    expect(carrier.invites.map(({ to }) => to)).toEqual(['+14155550123', '+14155550124']);
  });
});

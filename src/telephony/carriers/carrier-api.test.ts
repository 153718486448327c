import { describe, expect, it } from 'vitest';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { CarrierApi } from './carrier-api.ts';
import type { CarrierAnswer, CarrierRequest, CarrierTrunk } from './carrier-trunk.ts';
import { CONTROLS } from './control/controls.ts';

const trunk = (kind: CarrierKind, change: Partial<CarrierTrunk> = {}): CarrierTrunk => ({
  id: 't',
  name: kind,
  kind,
  uri: 'https://api.example.com',
  username: 'account',
  authUsername: 'user',
  application: 'app',
  password: 'secret',
  signingKey: 'key',
  ...change,
});
const ORDER = {
  from: '+14155550100',
  to: '+14155550188',
  streamUrl: 'wss://calls.example.com/carrier/p.token',
  answerUrl: 'https://calls.example.com/carriers/t/answer/p.token',
  statusUrl: 'https://calls.example.com/carriers/t/status/a-1',
  token: 'p.token',
  ringSeconds: 45,
  attemptId: 'a-1',
};
const answered = (status: number, body: object): CarrierAnswer & { ok: true } => ({
  ok: true,
  status,
  body: Buffer.from(JSON.stringify(body)),
});

describe('requests to the APIs of carriers', () => {
  it('of Bandwidth have the token that the account gets once, until it expires or the password changes', async () => {
    let now = 0;
    const sent: string[] = [];
    const api = new CarrierApi({
      now: () => now,
      fetch: async ({ url, headers }) => {
        sent.push(`${new URL(url).pathname.split('/').at(-1)} ${headers['authorization']?.slice(0, 12)}`);
        return answered(200, { access_token: `token-${sent.length}`, expires_in: 3_600 });
      },
    });
    const bandwidth = trunk('bandwidth');
    const place = (): CarrierRequest => CONTROLS.bandwidth.place(bandwidth, ORDER);
    await api.prepare(bandwidth);
    await api.send(bandwidth, place());
    now = 3_500_000;
    await api.send(bandwidth, place());
    now = 3_600_000;
    await api.send(bandwidth, place());
    await api.send(trunk('bandwidth', { password: 'another' }), place());
    expect(sent).toEqual([
      'token Basic dXNlcj',
      'calls Bearer token',
      'calls Bearer token',
      'token Basic dXNlcj',
      'calls Bearer token',
      'token Basic dXNlcj',
      'calls Bearer token',
    ]);
  });

  it('of Vonage have a token of the application, and an empty one without a private key', async () => {
    const sent: string[] = [];
    const api = new CarrierApi({
      now: () => 0,
      fetch: async ({ headers }) => {
        sent.push(headers['authorization'] ?? '');
        return answered(200, {});
      },
    });
    const vonage = trunk('vonage');
    await api.send(vonage, CONTROLS.vonage.account(vonage));
    expect(sent).toEqual(['Bearer ']);
  });

  it.each([
    ['telnyx', '/v2/calls', { data: { call_control_id: 'id' } }],
    ['exotel', '/v1/accounts/account/calls/connect.json', { Call: { Sid: 'id' } }],
    ['vonage', '/v1/calls', { uuid: 'id' }],
    ['smartflo', '/v1/click_to_call_support', { success: true, call_id: 'id' }],
    ['bandwidth', '/api/v2/accounts/account/calls', { callId: 'id' }],
    ['jambonz', '/v1/Accounts/account/Calls', { sid: 'id' }],
    ['asterisk', '/ari/channels', { id: 'id' }],
    ['signalwire', '/api/laml/2010-04-01/Accounts/account/Calls.json', { sid: 'id' }],
  ] as const)('place a call of %s, and read whether it exists', (kind, path, body) => {
    const control = CONTROLS[kind];
    const { url, method } = control.place(trunk(kind), ORDER);
    expect([method, new URL(url).pathname]).toEqual(['POST', path]);
    const read = (status: number, of: object): string => control.readPlaced(answered(status, of)).type;
    expect(control.readPlaced(answered(201, body))).toEqual({ type: 'accepted', carrierCallId: 'id' });
    expect([read(201, {}), read(500, body), read(422, body)]).toEqual(['lost', 'lost', 'refused']);
    expect(control.readPlaced({ ok: false, failure: 'timeout', detail: '' }).type).toBe('lost');
    expect(control.readPlaced({ ok: false, failure: 'refused', detail: '' }).type).toBe('unsent');
  });

  it('name an attempt once where the carrier places it once', () => {
    const commands = ['a-1', 'a-1', 'a-2'].map(
      (attemptId) =>
        JSON.parse(CONTROLS.telnyx.place(trunk('telnyx'), { ...ORDER, attemptId }).body ?? '') as {
          command_id: string;
        },
    );
    expect(commands.map(({ command_id: id }) => id)).toEqual(['a-1', 'a-1', 'a-2']);
    const once = (Object.keys(CONTROLS) as CarrierKind[]).filter((kind) => CONTROLS[kind].placesOnce);
    expect(once).toEqual(['telnyx', 'asterisk']);
  });

  it('take a call as over by the answer of its carrier', () => {
    const over = (kind: CarrierKind, status: number, body: object = {}): boolean | undefined =>
      CONTROLS[kind].isOver?.(answered(status, body));
    expect(over('telnyx', 422, { errors: [{ code: '90018' }] })).toBe(true);
    expect(over('telnyx', 422, { errors: [{ code: '10015' }] })).toBe(false);
    expect([over('vonage', 400), over('bandwidth', 404), over('bandwidth', 500)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('cannot give a call of Exotel to another party', () => {
    const order = { target: '+1', callerId: '+2', ringSeconds: 3, documentUrl: 'https://x.example' };
    expect(CONTROLS.exotel.transfer(trunk('exotel'), 'c', order)).toBeNull();
  });
});

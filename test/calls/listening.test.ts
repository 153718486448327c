import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LISTEN_PROTOCOL } from '../../src/telephony/web/listener-socket.ts';
import { type Browser, PASSWORD } from '../helpers/browser/browser.ts';
import { serviceBrowser } from '../helpers/browser/service-browser.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

const EMAIL = 'owner@example.com';
/** It answers and talks back. */
const TALKER = '+14155550123';

let service: Service;
let owner: Browser;
beforeAll(async () => {
  service = await startService({ provision: provisionWith({ owner: { email: EMAIL, password: PASSWORD } }) });
  owner = await serviceBrowser(service, EMAIL);
});
afterAll(() => service?.dispose());

const ask = (callId: string) => owner.request('POST', `/dashboard-api/calls/${callId}/listen`);

/** A listener without a browser: the first message, and the loudest sample of each side. */
class Listener {
  ready: Record<string, unknown> | null = null;
  frames = 0;
  loudest = [0, 0];
  closed: number | null = null;
  readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.closed = code;
    });
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) {
        this.ready = JSON.parse(data.toString());
        return;
      }
      this.frames += 1;
      for (let at = 0; at < data.length / 2; at += 1) {
        const side = at % 2;
        this.loudest[side] = Math.max(this.loudest[side] ?? 0, Math.abs(data.readInt16LE(at * 2)));
      }
    });
  }

  /** Resolves with the status of a refused upgrade. */
  static async connect(url: string, token: string, origin = service.url): Promise<Listener | number> {
    const socket = new WebSocket(url, [LISTEN_PROTOCOL, `token.${token}`], { origin });
    const listener = new Listener(socket);
    const refused = once(socket, 'unexpected-response').then(
      ([, response]) => (response as { statusCode: number }).statusCode,
    );
    return Promise.race([once(socket, 'open').then(() => listener), refused]);
  }
}

describe('listening to a live call', () => {
  it('lets up to three members hear both sides, enters who listened when, and lets none be heard', async () => {
    const agentId = await createAgent(service);
    const callId = await place(service, agentId, TALKER);
    const asked = await eventually('the call to be live', async () => {
      const answer = await ask(callId);
      return answer.status === 200 ? answer : null;
    });
    const { token, ws_url: url } = asked.body as { token: string; ws_url: string };
    expect(await Listener.connect(url, token, 'https://thief.example')).toBe(403);
    const listener = await Listener.connect(url, token);
    if (typeof listener === 'number') throw new Error(`refused with ${listener}`);
    expect(await Listener.connect(url, token)).toBe(401);
    const others: Listener[] = [];
    const refused: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { body } = await ask(callId);
      const other = await Listener.connect(url, String(body['token']));
      if (typeof other === 'number') refused.push(other);
      else others.push(other);
    }
    expect([others.length, refused]).toEqual([2, [429]]);
    others[0]!.socket.close();
    for (let n = 0; n < 12; n += 1) others[1]!.socket.send(Buffer.alloc(640, 0x40));

    await eventually('both sides to be heard', () =>
      Promise.resolve(listener.loudest.every((level) => level > 1_000) || null),
    );
    expect(listener.ready).toEqual({ type: 'ready', call_id: callId, sample_rate: 8_000, channels: 2 });
    await eventually('the one who talks to be cut', () => Promise.resolve(others[1]!.closed));
    expect(others[1]!.closed).toBe(1008);

    const call = await whenOver(service, callId);
    await eventually('the listener to be closed', () => Promise.resolve(listener.closed));
    expect(listener.closed).toBe(1000);
    expect(call.listeners).toHaveLength(3);
    for (const { listener: name, from, until } of call.listeners) {
      expect(name).toBe(EMAIL);
      expect(Date.parse(until)).toBeGreaterThanOrEqual(Date.parse(from));
    }
    const entries = await eventually('the audit log to have the ends', async () => {
      const { body } = await owner.request('GET', '/api/v0/workspace/audit-log');
      const all = body['entries'] as { action: string; actor: object; objects: { call_id?: string } }[];
      const ours = all.filter(
        ({ objects, action }) => objects.call_id === callId && action.endsWith('Listening'),
      );
      return ours.filter(({ action }) => action === 'endListening').length === 3 ? ours : null;
    });
    expect(entries.filter(({ action }) => action === 'beginListening')).toHaveLength(3);
    expect(entries[0]?.actor).toEqual({ type: 'user', name: EMAIL });
    expect((await ask(callId)).body['code']).toBe('NO_LIVE_CALL');
    expect(await Listener.connect(url, token)).toBe(401);
  }, 180_000);
});

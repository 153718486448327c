import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage, publicKeyOf, WebCaller } from '../helpers/browser/web-caller.ts';
import { WebChatter } from '../helpers/browser/web-chatter.ts';
import { createAgent, provisionWith, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

const LINES = 1_000;
/** A call takes 40 messages at once and ten a second; its connection is closed within seconds. */
const MOST_READ = LINES / 10;

let service: Service;
let agentId: string;
let key: string;
beforeAll(async () => {
  service = await startService({
    env: { RATE_LIMIT_WEBCALL_ADDRESS: '0', CALL_WORKERS: '1' },
    provision: provisionWith({}),
  });
  agentId = await createAgent(service, {
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  key = await publicKeyOf(service, agentId);
});
afterAll(async () => {
  await service?.dispose();
});

async function begin(): Promise<{ callId: string; caller: WebCaller }> {
  const { status, body } = await openPage(service.url, key, agentId, { args: { callee_name: 'Priya' } });
  expect([status, body]).toMatchObject([200, {}]);
  const caller = await WebCaller.connect(body.ws_url, body.token, service.url);
  caller.speak(new Int16Array(0));
  await eventually('the agent to speak', async () => (caller.frames.length > 5 ? true : null));
  return { callId: body.call_id, caller };
}

describe('1,000 typed lines at once on a browser call', () => {
  it('reach its conversation as a tenth at most, close its connection, and end no other call of the worker', async () => {
    const other = await begin();
    const flood = await begin();
    for (let n = 0; n < LINES; n += 1) {
      flood.caller.send({ type: 'text', text: `Line ${n}: I want to book a table for two at eight please.` });
    }
    expect(await flood.caller.closed()).toBe(1008);

    const ended = await whenOver(service, flood.callId);
    expect(ended).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'system',
    });
    // Work is what the conversation got to read: lines of one turn are joined, so they are counted by their numbers.
    const typed = transcriptOf(ended)
      .filter((line: any) => line.by === 'text')
      .map((line: any) => String(line.user))
      .join(' ');
    const read = new Set([...typed.matchAll(/Line (\d+):/g)].map(([, n]) => Number(n)));
    expect(read.size).toBeGreaterThan(0);
    expect(read.size).toBeLessThanOrEqual(MOST_READ);

    const heard = other.caller.frames.length;
    other.caller.send({ type: 'text', text: 'Hello, who are you?' });
    await other.caller.line(/^caller: Hello, who are you\?/);
    await eventually('the other call to go on', async () =>
      other.caller.frames.length > heard + 5 ? true : null,
    );
    const details = await service.request('GET', `/api/v0/calling/call-details?id=${other.callId}`);
    expect(details.body.data).toMatchObject({ call_status: 'ongoing' });
    // Neither suspected of a hang nor replaced.
    expect(service.output()).not.toMatch(/a call worker (?:is late|does not respond|ended|failed)/);
    other.caller.send({ type: 'hangup' });
    await other.caller.closed();
    expect(await whenOver(service, other.callId)).toMatchObject({ call_sub_status: 'USER_LEFT' });
  });
});

describe('100,000 keys at once on a browser call', () => {
  /** How a request over a connection of its own ends: with a status, or the code of an error. */
  const probe = (): Promise<string> =>
    new Promise((resolve) => {
      get(`${service.url}/healthz`, { agent: false }, (response) => {
        response.resume().on('end', () => resolve(String(response.statusCode)));
      }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  const PARALLEL = 20;
  /** Opens connections until `isEnough`; counts them by how they ended. */
  async function opened(isEnough: (count: number) => boolean): Promise<Map<string, number>> {
    const ends = new Map<string, number>();
    let count = 0;
    while (!isEnough(count)) {
      const batch = await Promise.all(Array.from({ length: PARALLEL }, probe));
      for (const end of batch) ends.set(end, (ends.get(end) ?? 0) + 1);
      count += PARALLEL;
    }
    return ends;
  }

  it('reset no new connection of others, neither beside the flood nor after it', async () => {
    const flood = await begin();
    let isClosed = false;
    void flood.caller.closed().then(() => {
      isClosed = true;
    });
    for (let n = 0; n < 100_000; n += 1) flood.caller.send({ type: 'dtmf', digit: '1' });
    const beside = await opened((count) => isClosed && count >= 200);
    // Unread bytes of the flood may reset its connection before the close frame arrives: the call's record is the proof.
    expect(await whenOver(service, flood.callId)).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'USER_LEFT',
      hangup_by: 'system',
    });
    const after = await opened((count) => count >= 1_000);
    expect([[...beside.keys()], [...after.keys()]]).toEqual([['200'], ['200']]);
    expect(after.get('200')).toBe(1_000);
    expect(service.output()).not.toContain('the thread of the API and the jobs');
  });
});

describe('a page that floods its chat', () => {
  /** Dropped messages of an entrance, as an operator reads them. */
  async function refusedAt(entrance: string): Promise<number> {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const line = new RegExp(`^callwright_ingress_refused_total\\{entrance="${entrance}"\\} (\\d+)$`, 'm');
    return Number(line.exec(text)?.[1] ?? 0);
  }

  it('is counted as refused messages of web chats, and of no other entrance', async () => {
    const opened = await fetch(`${service.url}/api/v0/chat/web`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ agent_id: agentId, custom_args_values: { callee_name: 'Priya' } }),
    });
    const { token } = (await opened.json()) as { token: string };
    const before = { chat: await refusedAt('web_chat'), call: await refusedAt('web_call') };
    expect(before.chat).toBe(0);
    const url = `${service.url.replace('http:', 'ws:')}/web-chat`;
    const page = await WebChatter.connect(url, token, service.url);
    // 60 messages of every kind fit at once.
    for (let n = 0; n < 100; n += 1) page.send({ type: 'text', id: `n${n}`, text: `line ${n}` });
    await eventually('the metric', async () => ((await refusedAt('web_chat')) > 0 ? true : null));
    expect(await refusedAt('web_call')).toBe(before.call);
    page.cut();
  });
});

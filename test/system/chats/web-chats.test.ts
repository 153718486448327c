import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../helpers/browser/browser.ts';
import { WebChatter } from '../../helpers/browser/web-chatter.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

const PAGE = 'https://www.example.com';

let desk: WhatsappDesk;
let publicKey: string;
let wsUrl: string;
beforeAll(async () => {
  desk = await openWhatsappDesk();
  const { body } = await desk.api.request('GET', `/api/v0/agent/${desk.agentId}`, { key: desk.key });
  publicKey = (body['agents'] as { webcall_public_key: string }).webcall_public_key;
  wsUrl = `${desk.url.replace('http:', 'ws:')}/web-chat`;
  const allowed = await desk.patch({
    operation: 'edit_agent_whitelisted_domains',
    whitelisted_domains: ['http://callwright.test', PAGE],
  });
  if (allowed.status !== 200) throw new Error(allowed.text);
});
afterAll(() => desk?.close());

const open = (key = publicKey, origin = PAGE) =>
  desk.api.request('POST', '/api/v0/chat/web', {
    key,
    headers: { origin },
    body: { agent_id: desk.agentId, custom_args_values: { callee_name: 'Priya' } },
  });
async function chat(): Promise<{ id: string; token: string; page: WebChatter }> {
  const { body } = await open();
  const token = String(body['token']);
  return { id: String(body['chat_id']), token, page: await WebChatter.connect(wsUrl, token, PAGE) };
}
const connect = (token: string, origin = PAGE): Promise<unknown> =>
  WebChatter.connect(wsUrl, token, origin).then(
    () => 'connected',
    (error: Error) => error.message,
  );

describe('a chat of a web page', () => {
  it('begins with the first message of the agent, answers each line once, and shows who writes', async () => {
    const { id, page } = await chat();
    await page.line('Welcome.');
    page.send({ type: 'text', id: 'first', text: 'Hello there' });
    page.send({ type: 'text', id: 'first', text: 'Hello there' });
    await page.line('You said: Hello there.');
    expect(page.lines.map(({ role, text, id: own }) => [role, text, own])).toEqual([
      ['agent', 'Welcome.', null],
      ['caller', 'Hello there', 'first'],
      ['agent', 'You said: Hello there.', null],
    ]);

    const asha = await signedIn(desk.api, desk.workspaceId, 'manager');
    await asha.request('POST', `/api/v0/chat/${id}/take-over`, {});
    await eventually('the page to know of the person', () =>
      Promise.resolve(page.messages.some((m) => m.type === 'state' && m.with_person) || null),
    );
    await asha.request('POST', `/api/v0/chat/${id}/messages`, { text: 'This is Asha.' });
    expect(await page.line('This is Asha.')).toMatchObject({ role: 'person' });
    await asha.request('POST', `/api/v0/chat/${id}/hand-back`);

    page.send({ type: 'hangup' });
    expect(await page.wait('ended')).toEqual({ type: 'ended', reason: 'USER_LEFT' });
    await eventually('the close', () => Promise.resolve(page.closed));
    const listed = await desk.api.request('GET', '/api/v0/chat/history?channel=web', { key: desk.key });
    expect(listed.body['chats']).toMatchObject([
      { id, channel: 'web', state: 'closed', customer_name: 'Priya', message_count: 4 },
    ]);
    const events = await desk.rows(
      sql`select from events where call_id = ${id} and event_type = 'chat_completed'`,
    );
    expect(events).toHaveLength(1);
  });

  it('goes on after a cut connection with the lines that the page missed, and takes each token once', async () => {
    const { token, page } = await chat();
    const first = await page.resume();
    await page.line('Welcome.');
    const { seq } = page.lines[0]!;
    expect(await connect(token)).toBe('refused with 401');
    page.send({ type: 'text', id: 'one', text: 'Before the cut' });
    await eventually('the line to be stored', async () => {
      const rows = await desk.rows(sql`select from chat_messages where text = 'Before the cut'`);
      return rows.length > 0 || null;
    });
    page.cut();
    // The connection was lost before the page could confirm: its token still holds.
    const again = await WebChatter.connect(wsUrl, first, PAGE, seq);
    again.send({ type: 'text', id: 'one', text: 'Before the cut' });
    await again.line('You said: Before the cut.');
    expect(again.lines.map(({ text }) => text)).toEqual(['Before the cut', 'You said: Before the cut.']);
    const second = await again.resume();
    again.send({ type: 'ready' });
    await eventually('the token to be confirmed', async () => {
      const rows = await desk.rows(
        sql`select from web_chats where next_hash is null and token_hash is not null`,
      );
      return rows.length > 0 || null;
    });
    expect(await connect(first)).toBe('refused with 401');
    expect(await connect(second, 'https://thief.example')).toBe('refused with 403');
    expect(await connect(second)).toBe('connected');
    await eventually('the replaced connection to close', () => Promise.resolve(again.closed));
    expect(again.closed).toBe(4001);
  });

  it('keeps the line of a visitor whose turn the caps refuse, and answers it once the caps allow it', async () => {
    const { id, page } = await chat();
    await page.line('Welcome.');
    const limit = (limits: object) =>
      desk.rows(sql`update workspaces set settings = settings || ${JSON.stringify({ limits })}::jsonb
        where id = ${desk.workspaceId}`);
    const [today] = await desk.rows(sql`select turns_today from workspaces where id = ${desk.workspaceId}`);
    await limit({ model_turns_per_day: today.turns_today + 1 });
    page.send({ type: 'text', id: 'first', text: 'Within the cap' });
    await page.line('You said: Within the cap.');
    page.send({ type: 'text', id: 'second', text: 'Past the cap' });
    await eventually('the turn to be refused', async () => {
      const rows = await desk.rows(
        sql`select from chats where id = ${id} and due_at > ${new Date(desk.clock.now() + 1_000)}`,
      );
      return rows.length > 0 || null;
    });
    expect(page.lines.map(({ text }) => text)).not.toContain('You said: Past the cap.');
    await limit({});
    desk.clock.ahead += 61_000;
    await page.line('You said: Past the cap.');
    expect(page.lines.filter(({ text }) => text.startsWith('You said:'))).toHaveLength(2);
  });

  it('refuses another origin, another key, a late token and a flood of lines, and leaks nothing', async () => {
    const { rows: before } = await sql`select from chats where channel = 'web'`.execute(desk.db);
    expect((await open(publicKey, 'https://thief.example')).body['code']).toBe('ORIGIN_NOT_ALLOWED');
    expect((await open('cw_pub_wrong')).status).toBe(401);
    expect((await open(desk.key)).status).toBe(401);
    const late = await open();
    const asked = await desk.rows(sql`select token_hash, args from web_chats where connected_at is null`);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked)).not.toContain(String(late.body['token']));
    await sql`update web_chats set expires_at = expires_at - interval '61 seconds'`.execute(desk.db);
    expect(await connect(String(late.body['token']))).toBe('refused with 401');
    expect(await connect('A'.repeat(43))).toBe('refused with 401');
    const { rows: after } = await sql`select from chats where channel = 'web'`.execute(desk.db);
    expect(after).toHaveLength(before.length);

    const { page } = await chat();
    for (let n = 0; n < 50; n += 1) page.send({ type: 'text', id: `n${n}`, text: `line ${n}` });
    await page.wait('refused');
    // Lines beyond ten at once are refused. The first message beyond the budget of 20 is, too; the rest waits at the page.
    await eventually('the refusals', () =>
      Promise.resolve(page.messages.filter(({ type }) => type === 'refused').length >= 10 || null),
    );
    const { page: other } = await chat();
    other.send({ type: 'text', id: 'long', text: 'x'.repeat(9_000) });
    await eventually('the close', () => Promise.resolve(other.closed));
    expect(other.closed).toBe(1009);
  });
});

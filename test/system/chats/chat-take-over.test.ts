import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitTurn, leaseChat } from '../../../src/store/chats/turns.ts';
import { readVersions } from '../../../src/store/tenants/overview.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { eventually } from '../../helpers/service/service.ts';
import { openWhatsappDesk, type WhatsappDesk } from '../../helpers/whatsapp/whatsapp-api.ts';

type Member = Awaited<ReturnType<typeof signedIn>>;

let desk: WhatsappDesk;
let asha: Member;
let ravi: Member;
beforeAll(async () => {
  desk = await openWhatsappDesk();
  asha = await signedIn(desk.api, desk.workspaceId, 'manager');
  ravi = await signedIn(desk.api, desk.workspaceId, 'owner');
});
afterAll(() => desk?.close());

const textOf = (body: Readonly<Record<string, any>>): string =>
  body['text']?.body ?? body['interactive']?.body.text ?? '';

/** A chat of this customer that the agent has answered once. */
async function chatOf(from: string): Promise<string> {
  desk.fake.say(desk.message(from, 'Hello'));
  await desk.answers(from, 1);
  return eventually('the chat to be free', async () => {
    const [chat] = await desk.rows(
      sql`select id from chats where customer_number = ${`+${from}`} and due_at is null and state = 'open'`,
    );
    return chat?.id ?? null;
  });
}
const act = (browser: Member, id: string, what: string, body: object = {}) =>
  browser.request('POST', `/api/v0/chat/${id}/${what}`, body);
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
];
const details = async (id: string): Promise<any> =>
  (await asha.request('GET', `/api/v0/chat/details?id=${id}`)).body['data'];
const stored = (from: string, text: string): Promise<unknown> =>
  eventually('the message to be stored', async () => {
    const rows = await desk.rows(sql`select from chat_messages m join chats c on c.id = m.chat_id
      where c.customer_number = ${`+${from}`} and m.text = ${text}`);
    return rows.length > 0 || null;
  });

describe('a chat that a person takes over', () => {
  it('is answered by the person, whose lines are marked, until the agent gets it back and knows them', async () => {
    const from = '919300000001';
    const id = await chatOf(from);
    const before = await readVersions(desk.db, desk.workspaceId, new Date(desk.clock.now()));
    const taken = await act(asha, id, 'take-over');
    expect(taken.body['data']).toEqual({ chat_id: id, state: 'with_person', taken_by: asha.person.email });
    const after = await readVersions(desk.db, desk.workspaceId, new Date(desk.clock.now()));
    expect(
      Object.entries(after).flatMap(([topic, is]) => (is === before[topic as 'chats'] ? [] : [topic])),
    ).toEqual(['chats']);

    desk.fake.say(desk.message(from, 'Is a person there?'));
    await stored(from, 'Is a person there?');
    expect((await act(asha, id, 'messages', { text: '  Yes, this is Asha.  ' })).status).toBe(200);
    expect(textOf((await desk.answers(from, 2))[1]!.body)).toBe('Yes, this is Asha.');
    expect(await details(id)).toMatchObject({ state: 'with_person', taken_by: asha.person.email });

    expect(codeOf(await act(ravi, id, 'messages', { text: 'Me too' }))).toEqual([409, 'CHAT_WITH_PERSON']);
    expect(codeOf(await act(ravi, id, 'take-over'))).toEqual([409, 'CHAT_WITH_PERSON']);
    expect((await act(ravi, id, 'take-over', { force: true })).status).toBe(200);
    expect(codeOf(await act(asha, id, 'messages', { text: 'Still me' }))).toEqual([409, 'CHAT_WITH_PERSON']);

    const handed = await act(ravi, id, 'hand-back');
    expect(handed.body['data']).toEqual({ chat_id: id, state: 'open', taken_by: null });
    expect(codeOf(await act(ravi, id, 'messages', { text: 'Too late' }))).toEqual([409, 'CHAT_NOT_TAKEN']);
    desk.fake.say(desk.message(from, 'Thanks'));
    expect(textOf((await desk.answers(from, 3))[2]!.body)).toBe('You said: Thanks.');
    const [{ talk }] = await desk.rows(sql`select talk from chats where id = ${id}`);
    expect(talk.history.slice(3, 5)).toEqual([
      { role: 'caller', text: 'Is a person there?', by: 'text' },
      { role: 'agent', text: 'Yes, this is Asha.', interrupted: false, by: 'person' },
    ]);
    const { transcript } = await details(id);
    expect(transcript.map(({ role, author }: any) => [role, author]).slice(2, 4)).toEqual([
      ['user', null],
      ['person', asha.person.email],
    ]);
    const log = await ravi.request('GET', '/api/v0/workspace/audit-log');
    const entries = log.body['entries'] as { action: string; actor: { name: string }; objects: object }[];
    const done = entries.filter(({ objects }) => JSON.stringify(objects).includes(id));
    expect(done.map(({ action, actor }) => [action, actor.name])).toContainEqual([
      'takeOverChat',
      asha.person.email,
    ]);
    expect(done.map(({ action }) => action)).toContain('handBackChat');
  });

  it('refuses the Idempotency-Key of a line in another chat, and sends nothing', async () => {
    const [first, second] = [await chatOf('919300000011'), await chatOf('919300000012')];
    for (const id of [first, second]) await act(asha, id, 'take-over');
    const write = (id: string) =>
      asha.request(
        'POST',
        `/api/v0/chat/${id}/messages`,
        { text: 'Hello there' },
        { 'idempotency-key': 'k' },
      );
    const sent = await write(first);
    expect(sent.status).toBe(200);
    expect(codeOf(await write(second))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const again = await write(first.toUpperCase());
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([sent.body, 'true']);
    expect(
      await desk.rows(sql`select chat_id from chat_messages where role = 'person' and text = 'Hello there'`),
    ).toEqual([{ chat_id: first }]);
  });

  it('fences off the turn that the agent was taking', async () => {
    const id = await chatOf('919300000002');
    const now = new Date(desk.clock.now());
    const times = { now, leaseUntil: new Date(desk.clock.now() + 60_000) };
    const leased = await leaseChat(desk.db, desk.workspaceId, id, times);
    await act(asha, id, 'take-over');
    const turn = { answered: [], talk: {}, toolLog: [], usage: [], endsAt: now, now };
    const isCommitted = await desk.db.transaction().execute((tx) => commitTurn(tx, leased!, turn));
    expect(isCommitted).toBe(false);
  });

  it('refuses free text once the last message of the customer is older than 24 hours', async () => {
    const id = await chatOf('919300000003');
    await act(asha, id, 'take-over');
    await sql`update chats set customer_at = customer_at - interval '1 day' where id = ${id}`.execute(
      desk.db,
    );
    const late = await act(asha, id, 'messages', { text: 'Are you still there?' });
    expect(codeOf(late)).toEqual([400, 'WHATSAPP_WINDOW_CLOSED']);
  });

  it('ends with an opt-out word, which the agent would have read', async () => {
    const from = '919300000004';
    const id = await chatOf(from);
    await act(asha, id, 'take-over');
    desk.fake.say(desk.message(from, 'STOP'));
    await stored(from, 'STOP');
    expect(await details(id)).toMatchObject({ state: 'closed', end_reason: 'OPTED_OUT', taken_by: null });
    expect(await desk.rows(sql`select from do_not_call where number = ${`+${from}`}`)).toHaveLength(1);
    expect(codeOf(await act(asha, id, 'messages', { text: 'Sorry' }))).toEqual([400, 'CHAT_CLOSED']);
  });

  it('is hidden from viewers and other workspaces, and can be ended', async () => {
    const from = '919300000005';
    const id = await chatOf(from);
    const viewer = await signedIn(desk.api, desk.workspaceId, 'viewer');
    expect(codeOf(await act(viewer, id, 'take-over'))).toEqual([403, 'ROLE_TOO_LOW']);
    const unknown = await act(asha, '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10', 'take-over');
    expect(codeOf(unknown)).toEqual([404, 'CHAT_NOT_FOUND']);
    await act(asha, id, 'take-over');
    await act(asha, id, 'messages', { text: 'Goodbye.' });
    expect((await act(asha, id, 'end')).body['data']).toMatchObject({ state: 'closed' });
    expect(await details(id)).toMatchObject({ end_reason: 'USER_TERMINATED' });
    const [event] = await desk.rows(
      sql`select body from events where call_id = ${id} and event_type = 'chat_completed'`,
    );
    expect(event.body.transcript.at(-1)).toMatchObject({ role: 'person', text: 'Goodbye.' });
  });

  // Last: it sets the time forward.
  it('goes back to the agent when the person leaves messages unanswered for the idle timeout', async () => {
    const [waiting, quiet] = ['919300000006', '919300000007'];
    const id = await chatOf(waiting);
    const idle = await chatOf(quiet);
    await act(asha, id, 'take-over');
    await act(asha, idle, 'take-over');
    desk.fake.say(desk.message(waiting, 'Anyone?'));
    await stored(waiting, 'Anyone?');
    desk.clock.ahead += 31 * 60_000;
    expect(textOf((await desk.answers(waiting, 2))[1]!.body)).toBe('You said: Anyone?.');
    expect(await details(id)).toMatchObject({ state: 'open', taken_by: null });
    await eventually('the quiet chat to end', async () => {
      const { state, end_reason } = await details(idle);
      return (state === 'closed' && end_reason === 'IDLE_TIMEOUT') || null;
    });
  });
});

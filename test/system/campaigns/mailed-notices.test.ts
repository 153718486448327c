import type { LookupAddress } from 'node:dns';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCampaigns } from '../../../src/domain/campaigns/keeper.ts';
import { NOTICE_JOB } from '../../../src/domain/workspaces/notices.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { NOTICE_RETRIES_MS, sendNotice } from '../../../src/jobs/send-notice.ts';
import { sendMail } from '../../../src/net/send-mail.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { openCampaignOffice, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';
import { claimContact, dialContact, settleContact } from '../../helpers/campaigns/campaigns.ts';
import { startMailServer, type MailServer } from '../../helpers/net/mail-server.ts';

const RULES = { circuit_breaker: { minimum_calls: 4, window_calls: 6 } };
const FROM = { name: 'Callwright', address: 'calls@example.com' };
const TO = ['ops@example.com', 'boss@example.com'];

let office: CampaignOffice;
let server: MailServer;
let runner: JobRunner;
beforeAll(async () => {
  office = await openCampaignOffice();
  server = await startMailServer();
});
beforeEach(async () => {
  await office.renew();
  const { db, clock } = office.api;
  const mail = { url: `smtp://calls:secret@127.0.0.1:${server.port}`, from: FROM };
  const deps = { db, clock, log: silentLog, mail, publicUrl: () => 'https://calls.example.com' };
  runner = new JobRunner({
    ...deps,
    kind: NOTICE_JOB,
    handler: sendNotice(deps),
    retryAfterMs: NOTICE_RETRIES_MS,
    pollMs: 20,
  });
});
afterEach(() => runner.stop());
afterAll(async () => {
  await server.close();
  await office.api.close();
});

/** A campaign whose breaker has opened. */
async function paused(): Promise<string> {
  const id = await office.started({ contacts: 10 }, RULES);
  for (let n = 0; n < 4; n += 1) {
    office.api.clock.advance(10);
    const ref = await claimContact(office.api, office.tenant, id, office.nodeId);
    if (ref === null || ref === undefined) throw new Error('nothing was claimed');
    await dialContact(office.api, ref);
    await settleContact(office.api, ref, { kind: 'not_answered', failure: 'rejected' }, 403);
  }
  const { db, clock } = office.api;
  const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, wakeScheduler: () => undefined };
  while (await keepCampaigns(deps));
  while (await keepCampaigns(deps));
  return id;
}

/** The notices of the workspace, and in how many milliseconds they are due. */
const jobs = async () => {
  const { db, clock } = office.api;
  const rows = await db
    .selectFrom('jobs')
    .select(['state', 'due_at'])
    .where('kind', '=', NOTICE_JOB)
    .where('workspace_id', '=', office.tenant.workspaceId)
    .execute();
  return rows.map(({ state, due_at: dueAt }) => [state, state === 'due' ? dueAt.getTime() - clock.now() : 0]);
};
const bodyOf = (data: string): string =>
  Buffer.from(data.slice(data.indexOf('\r\n\r\n')), 'base64').toString('utf8');

describe('the mail of a paused campaign', () => {
  it('goes to the addresses of the workspace, once for each pause, with the cause and the page', async () => {
    const set = await office.ask('PATCH', '/workspace/settings', { notice_addresses: TO });
    expect(set).toMatchObject({ status: 200, body: { notice_addresses: TO } });
    const before = server.taken.length;
    const id = await paused();
    // The server is busy at first, then takes one of the two addresses.
    server.answers.set('MAIL', ['451 try again later']);
    server.answers.set('RCPT', ['550 no such user']);
    runner.start();
    await expect.poll(jobs, { timeout: 30_000 }).toEqual([['due', NOTICE_RETRIES_MS[0]]]);
    office.api.clock.advance(NOTICE_RETRIES_MS[0] ?? 0);
    runner.kick();
    await expect.poll(jobs, { timeout: 30_000 }).toEqual([['done', 0]]);
    expect(server.taken.length - before).toBe(1);
    const [mail] = server.taken.slice(before);
    expect(mail).toMatchObject({ user: 'calls', from: FROM.address, to: ['boss@example.com'] });
    expect(mail?.data).toMatch(/^To: ops@example\.com,\s+boss@example\.com$/m);
    expect(bodyOf(mail?.data ?? '')).toMatch(
      /does not call\. Paused by the circuit breaker: 4 of the last 4 calls failed/,
    );
    expect(bodyOf(mail?.data ?? '')).toContain(`https://calls.example.com/campaigns/${id}`);
  });

  it('is not queued for a workspace without addresses', async () => {
    await paused();
    expect(await jobs()).toEqual([]);
  });

  it('is not sent twice when the server does not confirm it', async () => {
    server.answers.set('MESSAGE', ['close']);
    const connections = server.connections();
    const mail = { from: FROM, to: TO, subject: 'S', text: 'T', id: 'a', at: new Date(0) };
    await sendMail(`smtp://127.0.0.1:${server.port}`, mail);
    expect(server.connections()).toBe(connections + 1);
    server.answers.set('MESSAGE', ['552 too much']);
    await expect(sendMail(`smtp://127.0.0.1:${server.port}`, mail)).rejects.toThrow('answered 552');
    await expect(sendMail('smtp://127.0.0.1:1', mail)).rejects.toThrow('ECONNREFUSED');
  });

  it('carries a hostile subject and text whole, and neither adds a header nor ends the message', async () => {
    const subject = 'Pause\r\nBcc: x@example.com\r\n\r\nविराम 😀';
    const text = `.\r\nQUIT\n${'ä'.repeat(2000)}\n.\n`;
    const from = { name: 'Calls"\r\nBcc: x', address: 'calls@example.com' };
    await sendMail(`smtp://127.0.0.1:${server.port}`, {
      from,
      to: TO,
      subject,
      text,
      id: 'b',
      at: new Date(0),
    });
    const data = server.taken.at(-1)?.data ?? '';
    expect(server.taken.at(-1)?.to).toEqual(TO);
    expect(data.slice(0, data.indexOf('\r\n\r\n'))).not.toMatch(/^(?:Bcc|x@)/im);
    expect(bodyOf(data).replaceAll('\r\n', '\n')).toBe(text.replaceAll('\r\n', '\n'));
    expect(data.split('\r\n').every((line) => line.length < 998 && line !== '.')).toBe(true);
  });

  it('connects to the one address that the name of the server resolved to', async () => {
    const asked: string[] = [];
    const before = server.taken.length;
    const mail = { from: FROM, to: TO, subject: 'S', text: 'T', id: 'c', at: new Date(0) };
    await sendMail(`smtp://mail.example.com:${server.port}`, mail, (host, _options, done) => {
      asked.push(host);
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    });
    expect([asked, server.taken.length - before]).toEqual([['mail.example.com'], 1]);
  });

  it('sends no password to another machine that offers no encryption', async () => {
    const before = server.taken.length;
    const mail = { from: FROM, to: TO, subject: 'S', text: 'T', id: 'd', at: new Date(0) };
    const url = `smtp://calls:secret@mail.example.com:${server.port}`;
    server.answers.set('STARTTLS', ['502 not implemented']);
    const toHere = (_host: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    await expect(sendMail(url, mail, toHere)).rejects.toThrow('the mail server');
    expect(server.taken.length).toBe(before);
  });

  it('refuses addresses that are none, and an eleventh', async () => {
    for (const wrong of ['ops', 'ops@example.com\r\nBcc: x@example.com', 'smtp://other.example.com'])
      expect(await office.ask('PATCH', '/workspace/settings', { notice_addresses: [wrong] })).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('notice_addresses') },
      });
    const many = Array.from({ length: 11 }, (_, n) => `ops${n}@example.com`);
    expect((await office.ask('PATCH', '/workspace/settings', { notice_addresses: many })).status).toBe(422);
  });
});

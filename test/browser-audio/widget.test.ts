import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineTts } from '../../src/offline/speech/tts.ts';
import { parseWav } from '@callwright/audio';
import { Resampler } from '../../packages/widget/src/resampler.ts';
import { violationsOf } from '../helpers/browser/axe.ts';
import { createAgent, provisionWith, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { instrument, likeness, openWithMicrophone, startSite } from '../helpers/browser/voice-page.ts';
import { publicKeyOf } from '../helpers/browser/web-caller.ts';
import { synthesise } from '../helpers/audio/speech.ts';

const RATE = 16_000;
/**
 * What the caller says. One word: between two, the browser's noise filter leaves a hole of 180 ms, and a recogniser of phrases
 * hears the second one as an utterance of its own, which is no answer.
 */
const ANSWER = 'absolutely';
/** The caller says it this long after the page has opened its microphone: after the greeting. */
const SAYS_AT_MS = 7_000;
/** Quarter seconds of the greeting that are compared: its first sentence. */
const GREETING_QUARTERS = 10;

let service: Service;
let agentId: string;
let site: Awaited<ReturnType<typeof startSite>>;
let microphone: Awaited<ReturnType<typeof openWithMicrophone>>;
let browser: Browser;
beforeAll(async () => {
  const tts = createOfflineTts();
  const answer = await synthesise(tts, {
    voiceKey: 'flite:slt',
    language: 'en-US',
    text: ANSWER,
    sampleRate: RATE,
  });
  await tts.close();
  const pcm = new Int16Array((SAYS_AT_MS * RATE) / 1000 + answer.length + 60 * RATE);
  pcm.set(answer, (SAYS_AT_MS * RATE) / 1000);
  [service, microphone] = await Promise.all([
    startService({ env: { RATE_LIMIT_WEBCALL_ADDRESS: '0' }, provision: provisionWith({}) }),
    openWithMicrophone(pcm, RATE),
  ]);
  ({ browser } = microphone);
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya of Riverside Dental. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Ask "Shall we send you a reminder by email?"\n3. Say goodbye.',
    call_config: { mute_during_intro: false, idle_timeout_warning: 30, idle_timeout_end: 60 },
  });
  const key = await publicKeyOf(service, agentId);
  const latest = await (await fetch(`${service.url}/widget/latest.json`)).json();
  const { script, integrity } = latest as { script: string; integrity: string };
  const element = (more = ''): string =>
    `<callwright-call agent="${agentId}" public-key="${key}" label="Talk to Maya" ${more}></callwright-call>`;
  const load = `<script src="${service.url}${script}" integrity="${integrity}" crossorigin="anonymous"></script>`;
  site = await startSite(service.url, {
    '/': `${element()}${load}`,
    '/twice': `${element('heading="One"')}${element('heading="Two" mode="text"')}${load}${load}`,
    '/framed': `<iframe src="/" title="Call" allow="microphone; autoplay" width="400" height="600"></iframe>`,
    '/unframed': `<iframe src="/" title="Call" allow="microphone 'none'" width="400" height="600"></iframe>`,
  });
  const { status } = await service.request('PATCH', '/api/v0/agent/v1', {
    operation: 'edit_agent_whitelisted_domains',
    agent_id: agentId,
    whitelisted_domains: [service.url, `http://127.0.0.1:${site.port}`],
  });
  if (status !== 200) throw new Error('the page was not allowed');
}, 180_000);
afterAll(async () => {
  await microphone?.close();
  await site?.close();
  await service?.dispose();
});

const here = (path: string): string => `http://127.0.0.1:${site.port}${path}`;
async function open(url: string): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({ permissions: ['microphone'] });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = await instrument(page);
  await page.goto(url);
  return { page, faults };
}
/** The widget's events so far of one type. */
const events = (on: Page | Frame, type: string): Promise<Record<string, unknown>[]> =>
  on.evaluate(
    (wanted) =>
      (
        globalThis as unknown as { seen: { events: { type: string; detail: Record<string, unknown> }[] } }
      ).seen.events
        .filter((event) => event.type === wanted)
        .map(({ detail }) => detail),
    type,
  );
const lines = async (on: Page | Frame): Promise<string[]> =>
  (await events(on, 'line')).map(({ role, text }) => `${String(role)}: ${String(text)}`);
const line = (on: Page | Frame, pattern: RegExp): Promise<string> =>
  eventually(
    `the line ${pattern.source}`,
    async () => (await lines(on)).find((text) => pattern.test(text)) ?? null,
  );

describe('the widget on a page with the strictest content security policy', () => {
  it('holds a spoken call: words right, the audio intact, the flush short, and a cut connection survived', async () => {
    const { page, faults } = await open(here('/'));
    await page.getByRole('button', { name: 'Talk to Maya' }).click();
    await page.getByText('Connected').waitFor();
    await line(page, /^agent: Hello, this is Maya/);
    await line(page, /^caller: absolutely/i);
    await line(page, /^agent: .*reminder by email/);

    // Keyboard alone: types while the agent answers, which interrupts it.
    await page.getByLabel('Type a message').focus();
    await page.keyboard.type('Who are you again?');
    await page.keyboard.press('Enter');
    await line(page, /^caller: Who are you again/);
    await eventually('the agent to speak', async () => ((await lines(page)).length >= 5 ? true : null));
    await page
      .getByLabel('Type a message')
      .fill('What do you want? Tell me more about the reminder, please.');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(1_500);
    await page.getByLabel('Type a message').fill('Stop.');
    await page.keyboard.press('Enter');
    await line(page, /^caller: Stop/);

    await page.evaluate('seen.sockets.at(-1).close(4000)');
    await page.getByText('Connection lost').waitFor();
    await page.getByText('Connected').waitFor();
    const before = (await lines(page)).length;
    await page.getByLabel('Type a message').fill('Hello?');
    await page.keyboard.press('Enter');
    await eventually('an answer', async () => ((await lines(page)).length >= before + 2 ? true : null));
    // Only now: axe occupies the page's thread, which the audio passes.
    expect(await violationsOf(page, {})).toEqual([]);
    await page.getByRole('button', { name: 'End call' }).click();
    const [end] = await eventually('the end', async () => {
      const ends = await events(page, 'end');
      return ends.length > 0 ? ends : null;
    });
    await page.getByRole('button', { name: '5', exact: true }).last().click();
    await page.getByText('Thank you.').waitFor();

    const call = await whenOver(service, String(end?.['call_id']));
    expect(call).toMatchObject({
      call_type: 'webcall',
      call_sub_status: 'USER_LEFT',
      feedback: { rating: 5 },
    });
    // Words are those of the microphone's file alone.
    const words = transcriptOf(call)
      .filter((entry: any) => entry.by === 'speech' && entry.user !== undefined)
      .map(({ user = '' }) => user.toLowerCase());
    expect(words).toEqual([ANSWER]);
    const flushes = (await events(page, 'flush')).map(({ ms }) => Number(ms));
    expect(flushes.length).toBeGreaterThan(0);
    expect(Math.max(...flushes)).toBeLessThan(50);
    expect(await greetingLikeness(page, call.recording_url)).toBeGreaterThanOrEqual(0.95);
    expect(faults).toEqual([]);
  }, 240_000);

  it('works twice on one page, and chats by typing alone', async () => {
    const { page, faults } = await open(here('/twice'));
    const chat = page.locator('callwright-call[mode=text]');
    const field = chat.getByLabel('Type a message');
    await chat.getByRole('button', { name: 'Talk to Maya' }).click();
    await line(page, /^agent: Hello, this is Maya/);
    const [start] = await events(page, 'start');
    const chatId = String(start?.['chat_id']);
    // The field has the focus: the keyboard suffices.
    await page.keyboard.type('Yes, Tuesday is fine');
    await page.keyboard.press('Enter');
    await line(page, /^agent: .*reminder by email/);
    expect(await violationsOf(page, {})).toEqual([]);

    const act = (what: string, body: object = {}) =>
      service.request('POST', `/api/v0/chat/${chatId}/${what}`, body);
    expect((await act('take-over')).status).toBe(200);
    await page.evaluate('seen.sockets.at(-1).close(4000)');
    await field.fill('Are you a person?');
    await page.keyboard.press('Enter');
    await line(page, /^caller: Are you a person/);
    expect((await act('messages', { text: 'This is Asha.' })).status).toBe(200);
    await chat.getByText('Team: This is Asha.').waitFor();
    const said = await lines(page);
    expect(new Set(said).size).toBe(said.length);
    expect((await act('hand-back')).status).toBe(200);

    // The chat goes on when the visitor comes back to the page.
    await page.reload();
    await chat.getByRole('button', { name: 'Talk to Maya' }).click();
    await chat.getByText('Team: This is Asha.').waitFor();
    expect(await events(page, 'start')).toEqual([{ call_id: null, chat_id: chatId }]);
    await chat.evaluate((element) => element.remove());
    await eventually('the chat to end', async () => {
      const { body } = await service.request('GET', `/api/v0/chat/details?id=${chatId}`);
      return body.data.end_reason === 'USER_LEFT' || null;
    });
    expect(await page.getByRole('button', { name: 'Talk to Maya' }).count()).toBe(1);
    expect(faults).toEqual([]);
  }, 240_000);
});

describe('the widget elsewhere', () => {
  it('works in a frame that may use the microphone, and says why in one that may not', async () => {
    const { page } = await open(here('/framed'));
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Talk to Maya' }).click();
    await frame.getByText('Connected').waitFor();
    await frame.getByRole('button', { name: 'End call' }).click();
    await frame.getByText('The call has ended.').waitFor();
    const denied = await open(here('/unframed'));
    const inner = denied.page.frameLocator('iframe');
    await inner.getByRole('button', { name: 'Talk to Maya' }).click();
    await inner.getByText('does not let this page use the microphone').waitFor();
    expect(await inner.getByRole('button', { name: 'End call' }).count()).toBe(0);
  }, 240_000);

  it('is refused on a page of another origin, with a reason', async () => {
    const { page } = await open(`http://localhost:${site.port}/`);
    await page.getByRole('button', { name: 'Talk to Maya' }).click();
    await page.getByText(`http://localhost:${site.port} is not an allowed domain of this agent`).waitFor();
    expect(await events(page, 'error')).toMatchObject([{ code: 'refused' }]);
    expect(await events(page, 'start')).toEqual([]);
  }, 240_000);
});

/**
 * How alike the agent's greeting is in the recording and at the loudspeaker of the page: the median of its
 * quarter seconds. Headless Chromium slips now and then, which shifts the sound within one or two of them.
 */
async function greetingLikeness(page: Page, recordingUrl: string): Promise<number> {
  const { heard, rate } = await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { heard: number[][]; rate: number } };
    return { heard: seen.heard.slice(0, 80).flat(), rate: seen.rate };
  });
  const bytes = await eventually('the recording', async () => {
    const response = await fetch(recordingUrl);
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
  });
  const wav = parseWav(bytes);
  if (!wav.ok) throw new Error('the recording cannot be read');
  const agent = Float32Array.from(
    { length: wav.pcm.length / 2 },
    (_, n) => (wav.pcm[n * 2 + 1] ?? 0) / 32_768,
  );
  const first = agent.findIndex((sample) => Math.abs(sample) > 0.02);
  const resampler = new Resampler(rate, RATE);
  resampler.push(Float32Array.from(heard));
  const played = new Float32Array(resampler.available);
  resampler.pull(played);
  const quarters = Array.from({ length: GREETING_QUARTERS }, (_, n) => {
    const from = first + (n * RATE) / 4;
    return likeness(agent.subarray(from, from + RATE / 4), played);
  }).toSorted((a, b) => a - b);
  return quarters[Math.floor(quarters.length / 2)] ?? 0;
}

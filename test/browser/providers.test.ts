import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../helpers/openai-server.ts';
import {
  FAKE_BUSINESS_ACCOUNT_ID,
  FAKE_PHONE_NUMBER_ID,
  FAKE_TEMPLATES,
  type FakeWhatsapp,
  startFakeWhatsapp,
} from '@callwright/stand-ins';
import { closeMessage, inspect, openPage } from '../helpers/browser/chromium.ts';
import { openDashboard, OWNER, SCRIPT, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace, showRequests } from '../helpers/browser/places.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

const KEY = 'sk-live-0123456789abcdef';
let dashboard: Dashboard;
let model: FakeOpenAiServer;
let whatsapp: FakeWhatsapp;
beforeAll(async () => {
  model = await startFakeOpenAiServer([{ text: 'Yes.' }]);
  whatsapp = await startFakeWhatsapp({});
  dashboard = await openDashboard({ SAFE_FETCH_ALLOW: LOOPBACK_OPEN, WHATSAPP_BASE_URL: whatsapp.baseUrl });
});
afterAll(async () => {
  await dashboard?.close();
  await model?.close();
  await whatsapp?.close();
});

const stored = async (): Promise<any> => (await dashboard.api('GET', '/workspace/providers')).body.providers;

describe('providers', () => {
  it('take the account of a vendor, show its key masked and try it', async () => {
    const { page } = dashboard.owner;
    const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
    const made = await dashboard.api('POST', '/public/agent', {
      agent_name: 'Caller in Hindi',
      agent_type: 'outbound',
      introduction_and_objective: 'You answer questions.',
      response_guidelines: 'Short sentences.',
      task: 'Ask what the person needs.',
      primary_language: 'hi-IN',
      voice_id: voices.find((voice: any) => voice.languages.includes('hi-IN')).id,
      intro_message: 'नमस्ते।',
    });
    expect(made.status).toBe(200);
    await openPlace(page, 'Providers');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    const tile = (name: string) =>
      page
        .getByRole('list', { name: 'Accounts of vendors' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name, exact: true }) });
    await tile('Deepgram')
      .getByText('Hears: 12 languages, all of yours · Speaks: English, not Hindi', { exact: true })
      .waitFor();
    await tile('Deepgram')
      .getByText(
        /^Hears: .*0\.0048.*0\.0078 a minute, by model · Speaks: .*0\.015.*0\.03 for 1,000 characters, by model$/,
      )
      .waitFor();
    await tile('OpenAI-compatible')
      .getByText('Hears, Thinks, Speaks: price not known here', { exact: true })
      .waitFor();
    await tile('Cartesia').getByText('Speaks: price not known here', { exact: true }).waitFor();
    await tile('Anthropic').getByText('Languages depend on the model.', { exact: true }).first().waitFor();
    await tile('Vosk').getByText('Hears: no charge', { exact: true }).waitFor();
    await tile('Vosk').getByText('Languages and prices of Vosk').click();
    await tile('Vosk').getByText('Every model: no charge', { exact: true }).waitFor();
    await tile('OpenAI').getByText('Languages and prices of OpenAI').click();
    await tile('OpenAI')
      .getByText(/^tts-1: .*0\.015 for 1,000 characters$/)
      .waitFor();
    await tile('OpenAI').getByText('Other models: price not known here', { exact: true }).first().waitFor();
    await inspect(page, 'providers-empty');
    await page.getByRole('button', { name: 'Set up openai-compatible' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill(KEY);
    await dialog.getByLabel('Address').fill(model.baseUrl);
    await dialog.getByLabel('Language model').fill('own-model');
    await inspect(page, 'providers-account');
    await dialog.getByRole('button', { name: 'Save account' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('••••••••cdef').waitFor();
    expect(await page.content()).not.toContain(KEY);
    await page.getByRole('button', { name: 'Test openai-compatible, model' }).click();
    await page.getByText('Works', { exact: true }).waitFor();
    expect(model.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
    await page.getByRole('button', { name: 'Test openai-compatible, recognition' }).click();
    await page.getByText('Fails', { exact: true }).waitFor();
    await inspect(page, 'providers');
  });

  it('put vendors in an order for the workspace, and give it back to the installation', async () => {
    const { page } = dashboard.owner;
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Model', exact: true }) });
    await card.getByLabel('Default of the installation').uncheck();
    await card.getByLabel('Model: add a vendor').selectOption('offline');
    await card.getByRole('button', { name: 'Save' }).click();
    await closeMessage(page, 'Model: saved');
    expect((await stored()).llm).toEqual(['openai-compatible', 'offline']);
    await card.getByRole('button', { name: 'Move offline up' }).click();
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('which must come last').waitFor();
    await card.getByLabel('Default of the installation').check();
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await closeMessage(page, 'Undone: Model: saved');
    expect((await stored()).llm).toEqual(['openai-compatible', 'offline']);
    // The card has read the providers again.
    await expect.poll(() => card.getByLabel('Default of the installation').isChecked()).toBe(false);
    await card.getByLabel('Default of the installation').check();
    await card.getByRole('button', { name: 'Save' }).click();
    await closeMessage(page, 'Model: saved');
    expect((await stored()).llm).toBeNull();
  });

  it('hear and speak by one model once its vendor has a key, which a copied request leaves out', async () => {
    const { page } = dashboard.owner;
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Speech to speech', exact: true }) });
    const choice = card.getByLabel('Who hears and speaks');
    await expect.poll(() => choice.locator('option[value=openai]').isDisabled()).toBe(true);
    await showRequests(page);
    await page.getByRole('button', { name: 'Set up OpenAI', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill(KEY);
    await dialog.getByLabel('Model of speech to speech').fill('gpt-realtime-2.1');
    await dialog.getByRole('button', { name: 'Copy as curl' }).click();
    await dialog.getByText('Copied').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain('"api_key":"<api_key>"');
    expect(copied).not.toContain(KEY);
    await dialog.getByRole('button', { name: 'Save account' }).click();
    await card.getByText('Own key').waitFor();
    await choice.selectOption({ label: 'OpenAI Realtime' });
    await card.getByText('What is different, and the limits').click();
    await card.getByText('A connection lasts about 60 minutes').waitFor();
    await card.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Speech to speech: saved').waitFor();
    const { s2s, vendors } = await stored();
    expect([s2s, vendors.openai.s2s_model]).toEqual(['openai', 'gpt-realtime-2.1']);
    await inspect(page, 'providers-speech-to-speech');
    const removed = await dashboard.api('PUT', '/workspace/providers', {
      s2s: null,
      vendors: { openai: null },
    });
    expect(removed.status).toBe(200);
    await page.reload();
  });

  it('lose an account after a question, and read on a phone', async () => {
    const { page, faults } = dashboard.owner;
    await page.getByRole('button', { name: 'Remove openai-compatible' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
    await page.getByText('••••••••cdef').waitFor({ state: 'detached' });
    expect((await stored()).vendors).toEqual({});
    const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
    await phone.page.goto('/settings/providers');
    await phone.page.getByLabel('Email').fill(OWNER.email);
    await phone.page.getByLabel('Password').fill(OWNER.password);
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await inspect(phone.page, 'phone-providers');
    expect([...faults, ...phone.faults]).toEqual([]);
    await phone.context.close();
  });
});

const CUSTOMER = '4915550000001';
/** A message of the customer. */
const say = (id: string, text: string): void =>
  whatsapp.say({ from: CUSTOMER, id, timestamp: Math.floor(Date.now() / 1000), text, name: SCRIPT });

describe('WhatsApp', () => {
  it('attaches a number to an assistant that writes, with what Meta has to know', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'WhatsApp');
    await page.getByText('Create an assistant that writes with people').waitFor();
    await inspect(page, 'whatsapp-empty');
    const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
    const made = await dashboard.api('POST', '/public/agent', {
      agent_name: 'Writer',
      agent_type: 'whatsapp',
      introduction_and_objective: 'You answer questions.',
      response_guidelines: 'Short sentences.',
      task: 'Ask what the person needs.',
      primary_language: 'en-US',
      voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
      intro_message: 'Welcome.',
    });
    expect(made.status).toBe(200);
    await page.reload();
    await page.getByLabel('WhatsApp number with country code').fill('+15550783881');
    await page.getByLabel('Phone number id').fill(FAKE_PHONE_NUMBER_ID);
    await page.getByLabel('WhatsApp Business account id, optional').fill(FAKE_BUSINESS_ACCOUNT_ID);
    await page.getByLabel('Access token').fill('a token');
    await page.getByLabel('App secret').fill('the app secret');
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    const number = page.getByRole('region', { name: '+15550783881' });
    await number.getByText('Writer').waitFor();
    await inspect(page, 'whatsapp');
    const [stored] = (await dashboard.api('GET', '/whatsapp/numbers')).body.whatsapp_numbers;
    await number.getByText(stored.webhook_url).waitFor();
    await number.getByText(stored.verify_token).waitFor();
    expect(await page.content()).not.toContain('the app secret');
    whatsapp.connect({ url: stored.webhook_url, appSecret: 'the app secret' });
  });

  it('shows a chat as it is written, without a reload', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Chats' }).click();
    await page.getByRole('heading', { name: 'No chats yet' }).waitFor();
    say('wamid.1', SCRIPT);
    await page.getByRole('row').filter({ hasText: 'Writer' }).waitFor();
    await inspect(page, 'chats');
    await page.getByRole('row').filter({ hasText: 'Writer' }).getByRole('link').click();
    const messages = page.getByRole('list', { name: 'Messages' });
    await messages.getByText(SCRIPT).first().waitFor();
    await messages.getByText('Welcome.').waitFor();
    say('wamid.2', 'Are you open on Monday?');
    await messages.getByText('Are you open on Monday?').waitFor();
    await inspect(page, 'chat');
    await page.goto('/chats?state=closed');
    await page.getByRole('heading', { name: 'No chat matches' }).waitFor();
    expect((await dashboard.api('GET', '/chat/history')).body.total).toBe(1);
  });

  it('is taken over by a person, whose lines are marked, and handed back', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Chats' }).click();
    await page.getByRole('row').filter({ hasText: 'Writer' }).getByRole('link').click();
    await page.getByText('The assistant answers.').waitFor();
    await page.getByRole('button', { name: 'Take over', exact: true }).click();
    await page.getByText('You answer. The assistant waits.').waitFor();
    await page.getByLabel('Your message').fill('This is Ann of the front desk.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'This is Ann of the front desk.' });
    await line.getByText('Written by a person').waitFor();
    await line.getByText(OWNER.email).waitFor();
    const arrived = (): boolean =>
      whatsapp.accepted.some(({ body }) => JSON.stringify(body).includes('This is Ann of the front desk.'));
    await expect.poll(arrived).toBe(true);
    await inspect(page, 'chat-taken');
    await page.getByRole('button', { name: 'Hand back', exact: true }).click();
    await page.getByText('The assistant answers.').waitFor();
    await page.getByRole('button', { name: 'End chat' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the chat' }).click();
    await page.getByRole('definition').filter({ hasText: 'Ended by the workspace' }).waitFor();
    await page.getByRole('button', { name: 'Take over' }).waitFor({ state: 'detached' });
  });

  it('lists the templates of the number, and which cannot be sent', async () => {
    const { page } = dashboard.owner;
    await openPlace(page, 'WhatsApp');
    await page.getByRole('button', { name: 'Change +15550783881' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(SCRIPT);
    await page.getByRole('dialog').getByRole('button', { name: 'Save number' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the templates' }).click();
    const templates = page.getByRole('list', { name: 'Templates' });
    const item = (name: string) =>
      templates.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
    await item('appointment_reminder').getByText('Hello {{1}}, we see you at {{2}}').waitFor();
    await item('spring_offer').getByText('Cannot be sent').waitFor();
    const names = templates.getByText(/^(order_update|appointment_reminder|spring_offer)$/);
    await expect.poll(() => names.count()).toBe(FAKE_TEMPLATES.length);
    await inspect(page, 'whatsapp-templates');
    await page.getByRole('button', { name: 'Read again' }).click();
    await item('order_update').getByText('Can be sent').waitFor();
  });

  it('sends a template to a list, with a column for each placeholder, and shows what became of it', async () => {
    const { page } = dashboard.owner;
    await page.goto('/campaigns/new');
    await page.getByLabel('Assistant', { exact: true }).selectOption({ label: 'Writer (WhatsApp)' });
    await page
      .getByLabel('Template that every contact gets')
      .selectOption({ label: 'appointment_reminder (en_US)' });
    await page.getByText('Appointment on {{1}}').waitFor();
    const list = `Phone,First name,Day,Time\n+4915550000077,${SCRIPT.replaceAll('"', '')},Monday,10:00\n`;
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'visits.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
    await page.getByLabel('{{1}} of the heading').selectOption('Day');
    await page.getByLabel('{{1}} of the text').selectOption('First name');
    await page.getByLabel('{{2}} of the text').selectOption('Time');
    await page.getByLabel('Messages from').fill('00:00');
    await page.getByLabel('Messages until').fill('00:00');
    await inspect(page, 'campaign-new-messages');
    await page.getByRole('button', { name: 'Check the list' }).click();
    await page.getByText('1 contact. Each gets the template').waitFor();
    await inspect(page, 'campaign-draft-messages');
    await page.getByRole('button', { name: 'Start sending' }).click();
    const message = page
      .getByRole('region', { name: 'Messages' })
      .getByRole('row')
      .filter({ hasText: '+4915550000077' });
    await message.getByText(/we see you at 10:00/).waitFor();
    const { campaigns } = (await dashboard.api('GET', '/campaign/all')).body;
    expect(campaigns).toMatchObject([{ name: 'visits', channel: 'whatsapp' }]);
    const sent = (): number =>
      whatsapp.accepted.filter(({ body }) => JSON.stringify(body).includes('4915550000077')).length;
    await expect.poll(sent, { timeout: 60_000 }).toBe(1);
    await inspect(page, 'campaign-messages');
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.getByRole('row').filter({ hasText: 'visits' }).getByText('WhatsApp').waitFor();
  });

  it('writes first to a person with a template', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Chats' }).click();
    await page.getByRole('button', { name: 'Write to a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write to a person' });
    await dialog.getByLabel('To, with country code').fill('+4915550000078');
    const field = dialog.getByLabel('Template of the first message');
    await field.getByText('appointment_reminder (en_US): cannot be sent').waitFor({ state: 'attached' });
    await field.selectOption({ label: 'order_update (en_US)' });
    await dialog.getByLabel('{{1}}').fill('Asha');
    await inspect(page, 'chats-write');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Hello Asha, your order is ready.', { exact: true }).waitFor();
    const sent = (): number =>
      whatsapp.accepted.filter(({ body }) => JSON.stringify(body).includes('4915550000078')).length;
    await expect.poll(sent, { timeout: 60_000 }).toBe(1);
  });

  it('loses the number after a question, and keeps its chats', async () => {
    const { page, faults } = dashboard.owner;
    await openPlace(page, 'WhatsApp');
    await page.getByRole('button', { name: 'Remove +15550783881' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the number' }).click();
    await page.getByRole('heading', { name: 'No WhatsApp number yet' }).waitFor();
    expect((await dashboard.api('GET', '/chat/history')).body.total).toBe(2);
    expect(faults).toEqual([]);
  });
});

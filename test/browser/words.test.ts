import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openUserMenu, SCREENS } from '../helpers/browser/places.ts';
import { wordsOf } from '../helpers/words.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';

let dashboard: Dashboard;
let agentId: string;
beforeAll(async () => {
  dashboard = await openDashboard();
  agentId = (await dashboard.api('GET', '/agent/all')).body.data.agents[0].id;
});
afterAll(() => dashboard?.close());

/** Words of programs: names with an underscore, the standard of phone numbers, the tool for requests. */
const OF_PROGRAMS = /\S*_\S*|E\.164|\bcurl\b/gi;

/** The text of a page once it has loaded. */
async function textOn(path: string, loading = 'Loading'): Promise<string> {
  const { page } = dashboard.owner;
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText(loading).first().waitFor({ state: 'detached' });
  return page.locator('body').innerText();
}

/** The words of programs in the text of a page. */
function programWordsIn(text: string, path: string): readonly string[] {
  // Names of variables are what a person writes into the texts of an assistant.
  return [...text.matchAll(OF_PROGRAMS)]
    .map(([word]) => word)
    .filter((word) => !/^\{\{\w+\}\}\.?$|^(callee_name|mobile_number)$/.test(word))
    .map((word) => `${path}: ${word}`);
}

/** Where assistants and campaigns are made. */
const makingScreens = (): readonly string[] => [
  '/welcome',
  '/agents/new',
  '/campaigns/new',
  ...['', '?tab=flow', '?tab=voice', '?tab=behaviour', '?tab=analysis', '?tab=history'].map(
    (tab) => `/agents/${agentId}${tab}`,
  ),
  `/agents/${agentId}?test=true`,
  `/agents/${agentId}/rehearsals`,
];
/** Two of these in a line are an English sentence. */
const ENGLISH = /\b(?:the|this|that|is|are|with|your|you|it|of|and|for|to|which|when|from)\b/gi;

describe('the words of the pages', () => {
  it('are those of people on every screen outside Developers', async () => {
    const found: string[] = [];
    for (const path of SCREENS) found.push(...programWordsIn(await textOn(path), path));
    expect(found).toEqual([]);
  });

  it('are those of people where assistants and campaigns are made', async () => {
    const found: string[] = [];
    for (const path of makingScreens()) found.push(...programWordsIn(await textOn(path), path));
    expect(found).toEqual([]);
  });

  it('are German once the reader chooses it, and English again', async () => {
    const { page } = dashboard.owner;
    await page.goto('/calls');
    await openUserMenu(page);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Anrufe', exact: true }).waitFor();
    await page.getByText('Alle Anrufe des Arbeitsbereichs').waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await inspect(page, 'calls-german');
    await openUserMenu(page);
    await page.getByLabel('Sprache').selectOption('hi');
    await page.getByRole('heading', { name: 'कॉल', exact: true }).waitFor();
    await openUserMenu(page);
    await page.getByLabel('भाषा').selectOption('en');
    await page.getByRole('heading', { name: 'Calls', exact: true }).waitFor();
  });

  it('come with their screen, which is drawn in no other language before', async () => {
    const { page } = dashboard.owner;
    const manifest = JSON.parse(readFileSync('web/dist/manifest.json', 'utf8')) as Record<
      string,
      { file: string }
    >;
    await page.goto('/do-not-call');
    await page.evaluate(() => localStorage.setItem('language', 'de'));
    await page.goto('/do-not-call');
    await page.getByRole('heading', { name: 'Nicht anrufen', exact: true }).waitFor();
    const words = `**/${manifest['src/words/de/calls.ts']?.file}`;
    const held = Promise.withResolvers<undefined>();
    await page.route(words, async (route) => {
      await held.promise;
      await route.continue();
    });
    const screen = page.waitForResponse(`**/${manifest['src/screens/calls/calls-page.tsx']?.file}`);
    await page.getByRole('link', { name: 'Anrufe', exact: true }).first().click();
    await (await screen).finished();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
    expect(await page.getByText('Every call of the workspace').count()).toBe(0);
    held.resolve(undefined);
    await page.getByText('Alle Anrufe des Arbeitsbereichs').waitFor();
    await page.unroute(words);
    await page.evaluate(() => localStorage.removeItem('language'));
  });

  it.each(IS_NIGHTLY ? (['de', 'es', 'hi'] as const) : (['de'] as const))(
    'are those of people in another language, and none stays English, %s',
    async (language) => {
      const words = await wordsOf(language);
      const { page } = dashboard.owner;
      await page.goto('/calls');
      await page.evaluate((chosen) => localStorage.setItem('language', chosen), language);
      const translated = new Set(Object.values(words));
      const found = new Set<string>();
      for (const path of [...SCREENS, ...makingScreens()]) {
        const text = await textOn(path, words['Loading']);
        for (const word of programWordsIn(text, path)) found.add(word);
        for (const line of text.split('\n').map((each) => each.trim()))
          if ((words[line] !== undefined && !translated.has(line)) || (line.match(ENGLISH)?.length ?? 0) >= 2)
            found.add(`${path}: ${line}`);
      }
      await page.evaluate(() => localStorage.removeItem('language'));
      expect([...found]).toEqual([]);
    },
  );

  it('say in a live call what members do and why a guest did not join, in the language of the reader', async () => {
    const { page } = dashboard.owner;
    const words = await wordsOf('de');
    const { workspace_numbers: numbers } = (await dashboard.api('GET', '/workspace/numbers')).body;
    const placed = await dashboard.api('POST', '/calling/outbound/individual', {
      name: 'Ida',
      mobile_number: '+14155550123',
      agent_id: agentId,
      from_number_id: numbers[0].id,
    });
    const callId: string = placed.body.data.call_id;
    await page.goto('/calls');
    await page.evaluate(() => localStorage.setItem('language', 'de'));
    await page.goto(`/calls/${callId}`);
    const live = page.getByRole('region', { name: words['Live call'] ?? '', exact: true });
    await live
      .getByRole('listitem')
      .filter({ hasText: words['Assistant'] ?? '' })
      .first()
      .waitFor();
    const control = (order: object) => dashboard.api('POST', `/calling/${callId}/control`, order);
    expect((await control({ operation: 'whisper', text: 'Dienstag' })).status).toBe(200);
    await live.getByText(/ gab dem Assistenten einen Hinweis: Dienstag$/).waitFor();
    // The test carrier says that this number is busy.
    const invited = await control({ operation: 'invite', invite_to: '+14155550002', invite_name: 'Lou' });
    expect(invited.status).toBe(200);
    await live.getByText('Lou ist dem Anruf nicht beigetreten: die Leitung ist besetzt.').waitFor();
    await dashboard.api('POST', `/calling/${callId}/hangup`);
    // The page of a call that is over no longer has the live one.
    await page
      .getByText(words['Ended'] ?? '', { exact: true })
      .first()
      .waitFor();
    await live.waitFor({ state: 'detached' });
    await page.evaluate(() => localStorage.removeItem('language'));
  });

  it('say in the audit log who did what to which assistant, in the language of the reader', async () => {
    const { page } = dashboard.owner;
    const change = { operation: 'edit_intro_message', agent_id: agentId, intro_message: 'Good day.' };
    expect((await dashboard.api('PATCH', '/agent/v1', change)).status).toBe(200);
    const { agent_display_name: name } = (await dashboard.api('GET', '/agent/all')).body.data.agents[0];
    await page.goto('/settings/audit-log');
    const row = (deed: string) => page.getByRole('row').filter({ hasText: deed }).first();
    await row(`Changed a setting of the assistant ${name}`).waitFor();
    await page.evaluate(() => localStorage.setItem('language', 'de'));
    await page.reload();
    const deed = row(`Hat eine Einstellung des Assistenten ${name} geändert`);
    await deed.waitFor();
    await inspect(page, 'audit-log-german');
    await deed.getByRole('link', { name }).click();
    await page.waitForURL(`**/agents/${agentId}**`);
    await page.evaluate(() => localStorage.removeItem('language'));
  });

  it('offer requests under Developers, and elsewhere once the reader asks for them', async () => {
    const { page } = dashboard.owner;
    const requests = page.getByText(/^(Copy as )?curl$/);
    await page.goto('/webhooks');
    await requests.first().waitFor();
    await page.goto('/do-not-call');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await requests.count()).toBe(0);
    await page.getByLabel(/^Your menu/).click();
    await page.getByLabel('Show requests for scripts').check();
    await requests.first().waitFor();
  });
});

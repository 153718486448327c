import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeMessage, inspect, openPage } from '../helpers/browser/chromium.ts';
import { editedVersion, openPart, publishDraft, saveBar, saveSection } from '../helpers/browser/assistant.ts';
import { openDashboard, OWNER, SCRIPT, type Dashboard } from '../helpers/browser/dashboard.ts';
import { callPhone, chooseWay, fillValue, testPanel } from '../helpers/browser/try-it.ts';
import { startToolServer, type ToolServer } from '../helpers/agents/tool-server.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

let dashboard: Dashboard;
let tools: ToolServer;
beforeAll(async () => {
  tools = await startToolServer(() => ({ body: { slots: [{ time: '10:00' }], note: SCRIPT } }));
  dashboard = await openDashboard({ SAFE_FETCH_ALLOW: LOOPBACK_OPEN });
});
afterAll(async () => {
  await dashboard?.close();
  await tools?.close();
});

const NAME = `Reminder ${SCRIPT}`.slice(0, 100);
const record = async (): Promise<any> => {
  const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
  const { id } = agents.find((agent: any) => agent.agent_display_name === NAME);
  return (await dashboard.api('GET', `/agent/${id}`)).body.agents;
};
const edited = async (): Promise<any> => editedVersion(dashboard, (await record()).id);

describe('a new assistant', () => {
  it('begins with a template, whose flow and test cases come with it', async () => {
    const { page } = dashboard.owner;
    await page.goto('/agents/new');
    await page.getByLabel('Start from').selectOption('Customer survey');
    await page.getByText('with 2 test cases').waitFor();
    await page.getByRole('group', { name: 'Voice', exact: true }).getByText('Claire').waitFor();
    await inspect(page, 'assistant-template');
    await page.getByLabel('Name of the assistant').fill('Survey of journeys');
    await page.getByRole('button', { name: 'Create assistant' }).click();
    await page.getByRole('heading', { name: 'Survey of journeys' }).waitFor();
    const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
    const { id } = agents.find((agent: any) => agent.agent_display_name === 'Survey of journeys');
    const agent = (await dashboard.api('GET', `/agent/${id}`)).body.agents;
    expect(agent.version_details[agent.active_agent_version_id].flow.start).toBe('score');
    const { test_cases: cases } = (await dashboard.api('GET', `/agent/${id}/test-cases`)).body;
    expect(cases.map(({ name }: any) => name)).toEqual([
      'Asks why a person is unhappy',
      'Asks a happy person nothing more',
    ]);
  });

  it('shows the flow with its steps, and a fault at the step that has it', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Flow', exact: true }).click();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const steps = page.getByRole('region', { name: 'Steps', exact: true });
    await steps.getByText('The check finds no fault.').waitFor();
    const area = page.getByLabel('Document of the flow');
    const text = await area.inputValue();
    const flow = JSON.parse(text);
    await inspect(page, 'assistant-flow');
    await area.fill(JSON.stringify({ ...flow, stuck: 'nowhere' }));
    await steps
      .getByText(/nowhere/)
      .first()
      .waitFor();
    const astray = structuredClone(flow);
    astray.nodes[0].edges = [{ to: 'elsewhere' }];
    await area.fill(JSON.stringify(astray));
    const step = steps.getByRole('listitem').filter({ hasText: flow.nodes[0].id }).first();
    await step
      .getByRole('listitem')
      .filter({ hasText: /elsewhere/ })
      .first()
      .waitFor();
    flow.nodes[0].ask = 'How happy are you with us, from 0 to 10?';
    await area.fill(JSON.stringify(flow));
    await steps.getByText('The check finds no fault.').waitFor();
    await saveSection(page, 'Flow');
    const { agents } = (await dashboard.api('GET', '/agent/all')).body.data;
    const { id } = agents.find((agent: any) => agent.agent_display_name === 'Survey of journeys');
    expect((await editedVersion(dashboard, id)).flow).toEqual(flow);
  });

  it('is made with a voice of its language, and declares the variables of its texts', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Assistants' }).click();
    await page.getByRole('link', { name: 'New assistant' }).click();
    await page.getByLabel('Language', { exact: true }).selectOption('en-IN');
    await page.getByLabel('Second language').selectOption('hi-IN');
    // The first voice that speaks both languages is chosen; another one takes its place by the keyboard.
    const voice = page.getByRole('group', { name: 'Voice', exact: true });
    await voice.getByText('Asha', { exact: true }).waitFor();
    await voice.getByRole('button', { name: 'Hear Asha', exact: true }).waitFor();
    await voice.getByRole('button', { name: 'Change the voice', exact: true }).focus();
    await page.keyboard.press('Enter');
    await voice.getByRole('radio', { name: /^Asha/, checked: true }).focus();
    await page.keyboard.press('ArrowDown');
    await voice.getByRole('button', { name: 'Hear Arjun', exact: true }).waitFor();
    await inspect(page, 'assistant-new-voices');
    await voice.getByRole('button', { name: 'Close the list of voices', exact: true }).click();
    await expect.poll(() => voice.getByRole('radio').count()).toBe(0);
    await page.getByLabel('Name of the assistant').fill(NAME);
    await page.getByLabel('First message').fill('Hello {{callee_name}}, this is Asha.');
    await page.getByLabel('Who it is and what it wants').fill(`Confirm the visit. ${SCRIPT}`);
    await page.getByLabel('How it speaks').fill('Short sentences.');
    const task = page.getByLabel('What it does, step by step');
    await task.fill('x'.repeat(1501));
    await page.getByText('Remove 1 characters.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Create assistant' }).isDisabled()).toBe(true);
    await task.fill('Ask whether {{visit_date}} suits.');
    await inspect(page, 'assistant-new');
    await page.getByRole('button', { name: 'Create assistant' }).click();
    await page.getByRole('heading', { name: NAME }).waitFor();
    const version = await edited();
    expect(version.agent_config.custom_variables).toContain('visit_date');
    expect(version.voice.name).toBe('Arjun');
  });

  it('that writes is asked for no voice and no hours, and has only the parts of one that writes', async () => {
    const { page } = dashboard.owner;
    const address = page.url();
    await page.goto('/agents/new');
    await page.getByRole('group', { name: 'Voice', exact: true }).waitFor();
    await page.getByLabel('What it does', { exact: true }).selectOption('Writes with people');
    await page.getByRole('group', { name: 'Voice', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'When it calls' }).waitFor({ state: 'detached' });
    await page.getByLabel('Name of the assistant').fill('Writer');
    await page.getByLabel('First message').fill('Hello, this is the front desk.');
    await page.getByLabel('Who it is and what it wants').fill('Answer questions.');
    await page.getByLabel('How it writes').fill('Short sentences.');
    await page.getByLabel('What it does, step by step').fill('Ask how to help.');
    await inspect(page, 'assistant-new-writer');
    await page.getByRole('button', { name: 'Create assistant' }).click();
    await page.getByRole('heading', { name: 'Writer', exact: true }).waitFor();
    await page.locator('#content').getByText('WhatsApp', { exact: true }).waitFor();
    const parts = page.getByRole('navigation', { name: 'Parts of the assistant' });
    await parts.getByRole('link', { name: 'Instructions', exact: true }).waitFor();
    const names = (): Promise<string[]> => parts.getByRole('link').allInnerTexts();
    const groups = ['Prompt', 'Behaviour', 'Tools and knowledge', 'Quality'];
    expect(await names()).toEqual([...groups, 'Instructions', 'Flow', 'Models']);
    await openPart(page, 'Tools');
    expect(await names()).toEqual([...groups, 'Tools', 'Knowledge and events']);
    await openPart(page, 'Behaviour');
    await expect.poll(names).toEqual(groups);
    await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    expect(await page.getByRole('heading', { name: 'Voicemail' }).count()).toBe(0);
    await inspect(page, 'assistant-writer');
    // An address of a part that it does not have leads to the first one.
    await page.goto(`${new URL(page.url()).pathname}?tab=voice`);
    await page.getByRole('textbox', { name: 'First message' }).waitFor();
    await page.goto(address);
    await page.getByRole('heading', { name: NAME }).waitFor();
  });
});

describe('the editor', () => {
  it('counts the characters of sections, and names variables that are used and not declared', async () => {
    const { page } = dashboard.owner;
    const objective = page.getByLabel('Who it is and what it wants', { exact: true });
    await objective.fill('y'.repeat(2001));
    await page.getByText('The section “Who it is and what it wants” is too long.').waitFor();
    await objective.fill('Confirm the visit at {{clinic}}.');
    await page.getByLabel('Title of another section').fill('Escalation');
    await page.getByRole('button', { name: 'Add section' }).click();
    await page.getByLabel('Escalation', { exact: true }).fill('Offer a callback.');
    await saveSection(page, 'Instructions');
    await page.getByRole('button', { name: 'Declare clinic' }).click();
    await inspect(page, 'assistant-instructions');
    await saveSection(page, 'Variables');
    const { agent_config: config } = await edited();
    expect(config.custom_variables).toEqual(
      expect.arrayContaining(['callee_name', 'mobile_number', 'visit_date', 'clinic']),
    );
    expect(config.prompt_sections.map((section: any) => section.section_title)).toContain('Escalation');
  });

  it('offers the variables behind two braces, by keyboard and by pointer', async () => {
    const { page } = dashboard.owner;
    const text = page.getByRole('textbox', { name: 'First message' });
    const list = page.getByRole('listbox', { name: 'Variables', exact: true });
    const before = await text.inputValue();
    await text.fill('Hello ');
    await page.keyboard.type('{{');
    await list.getByRole('option', { name: 'previous_call_summary', exact: true }).waitFor();
    await inspect(page, 'assistant-offered-variables');
    await page.keyboard.type('vis');
    await list.getByRole('option', { name: 'visit_date', exact: true, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Hello {{visit_date}}');
    // Names that begin with the letter come first; the text names the chosen one to a screen reader.
    await page.keyboard.type(' at {{c');
    await expect.poll(() => list.getByRole('option').count()).toBe(3);
    const chosen = async (): Promise<string> => {
      const id = await text.getAttribute('aria-activedescendant');
      return page.locator(`[id="${id}"][aria-selected="true"]`).innerText();
    };
    const names = await list.getByRole('option').allInnerTexts();
    expect(names[2]).toBe('previous_call_summary');
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen).toBe(names[1]);
    await page.keyboard.press('ArrowUp');
    await expect.poll(chosen).toBe(names[0]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Hello {{visit_date}} at {{c');
    await page.keyboard.type('l');
    await list.getByRole('option', { name: 'clinic', exact: true }).click();
    await list.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Hello {{visit_date}} at {{clinic}}');
    await page.keyboard.type('. {{mob');
    await list.getByRole('option', { name: 'mobile_number', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await list.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Hello {{visit_date}} at {{clinic}}. {{mobile_number}}');
    // Without the list Tab leaves the text.
    await page.keyboard.press('Tab');
    await expect.poll(() => text.and(page.locator(':focus')).count()).toBe(0);
    await text.fill(before);
  });

  it('changes voice and behaviour, with the rules between fields as they are typed', async () => {
    const { page } = dashboard.owner;
    await page.getByRole('link', { name: 'Voice', exact: true }).click();
    await page
      .getByRole('group', { name: 'Voices that speak English (India)' })
      .getByRole('radio')
      .nth(1)
      .check();
    const second = page.getByRole('group', { name: 'Voice for Hindi (India)' });
    await second.getByRole('radio').nth(1).check();
    await inspect(page, 'assistant-voice');
    await saveSection(page, 'Voice');
    expect((await edited()).secondary_voice_id).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'Behaviour' }).click();
    await page.getByLabel('Silence until a check-in, seconds').fill('12');
    await page.getByText('Must be less than the seconds until the end.').waitFor();
    await saveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
    await saveBar(page).getByRole('alert').getByText('Calls', { exact: false }).waitFor();
    await page.getByLabel('Silence until a check-in, seconds').fill('6');
    await page.getByLabel('Sunday').uncheck();
    await saveSection(page, 'Calls');
    await page.getByLabel('Complete after this many keys').fill('4');
    await page.getByLabel('Key that ends the answer').selectOption('#');
    await page.getByLabel('Key that starts the answer over').selectOption('#');
    await page.getByText('Must be another key than the one that ends the answer.').waitFor();
    await page.getByLabel('Key that starts the answer over').selectOption('*');
    await saveSection(page, 'Keys of the caller');
    await page.getByLabel('Who speaks first').selectOption('caller');
    await page.getByLabel('Wait at most, seconds').fill('8');
    await saveSection(page, 'First words');
    await page.getByLabel('On voicemail').selectOption('static_message');
    await page.getByText('A fixed message needs its words.').waitFor();
    await page.getByLabel('Message after the tone').fill('Please call us back.');
    await saveSection(page, 'Voicemail');
    await inspect(page, 'assistant-behaviour');
    const { call_config: config, agent_config: agent } = await edited();
    expect(agent.dtmf_settings).toEqual({
      dtmf_capturing_enabled: true,
      dtmf_input: { digits: 4, timeout: null, end: '#', reset: '*' },
    });
    expect(config).toMatchObject({
      idle_timeout_warning: 6,
      first_speaker: { mode: 'caller', limit: 8 },
      voicemail: { action: 'static_message', static_message: 'Please call us back.' },
    });
    expect(config.call_time.days).toHaveLength(6);
  });

  it('is tried by text beside the editor, saved as a test case, and starts over', async () => {
    const { page } = dashboard.owner;
    const address = page.url();
    await openPart(page, 'Test cases');
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor();
    await inspect(page, 'assistant-tests-empty');
    await page.getByRole('button', { name: 'Try it' }).click();
    await fillValue(page, 'callee_name', SCRIPT);
    await inspect(page, 'try-it-start');
    await page.getByRole('button', { name: 'Start the conversation' }).click();
    const talk = page.getByRole('list', { name: 'Conversation' });
    await talk.getByText('this is Asha').waitFor();
    await page.getByLabel('Your words').fill('Yes, that suits me.');
    await page.getByRole('button', { name: 'Send' }).click();
    await talk.getByText('Yes, that suits me.').waitFor();
    await talk.getByRole('listitem').nth(1).getByText('Assistant').waitFor();
    await inspect(page, 'try-it');
    expect(await talk.getByRole('listitem').count()).toBe(2);
    await page.getByRole('button', { name: 'Save as test case' }).click();
    const saving = page.getByRole('dialog', { name: 'Save as test case', exact: true });
    await saving.getByText('Give the case a name.').waitFor();
    await saving.getByLabel('Name', { exact: true }).fill('Greets');
    await saving.getByRole('button', { name: 'Add expectation' }).click();
    await saving.getByLabel('Words of expectation 1').fill('this is Asha');
    await saving.getByLabel('Where expectation 1 applies').selectOption('In the first message');
    await saving.getByRole('button', { name: 'Add answer' }).click();
    await saving.getByLabel('Tool of answer 1').fill('look_up_slot');
    await inspect(page, 'test-case');
    await saving.getByRole('button', { name: 'Save test case' }).click();
    await closeMessage(page, 'The test case “Greets” is saved.');
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Start the conversation' }).waitFor();
    await chooseWay(page, 'Voice');
    await page.getByRole('button', { name: 'Call in the browser' }).waitFor();
    const dialog = await callPhone(page);
    await dialog.getByLabel('Call from').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await testPanel(page).getByRole('button', { name: 'Close the test' }).click();
    await page.goto(address);
    await page.getByRole('heading', { name: NAME }).waitFor();
  });

  it('passes its test case, and fails it once its first message has changed', async () => {
    const { page } = dashboard.owner;
    await openPart(page, 'Test cases');
    const cases = page.getByRole('region', { name: 'Test cases' });
    const result = page.getByRole('list', { name: 'Results' }).getByRole('listitem').first();
    await page.getByRole('button', { name: 'Run all with draft' }).click();
    await cases.getByText('Passed', { exact: true }).waitFor();
    await openPart(page, 'Instructions');
    const first = page.getByRole('textbox', { name: 'First message' });
    const before = await first.inputValue();
    await first.fill('Good day.');
    await saveSection(page, 'Opening');
    await openPart(page, 'Test cases');
    await cases.getByText('before the last change').waitFor();
    await page.getByRole('button', { name: 'Run Greets', exact: true }).click();
    await cases.getByText('Failed', { exact: true }).waitFor();
    await result.getByText('The agent did not say “this is Asha”.').waitFor();
    await inspect(page, 'assistant-tests');
    await cases.getByRole('button', { name: 'Edit Greets' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Words of expectation 1').fill('this is Asha\ngood day');
    await dialog.getByRole('button', { name: 'Save test case' }).click();
    await closeMessage(page, 'The test case “Greets” is saved.');
    await page.getByRole('button', { name: 'Run Greets', exact: true }).click();
    await cases.getByText('Passed', { exact: true }).waitFor();
    const { body } = await dashboard.api('GET', `/agent/${(await record()).id}/test-runs`);
    expect(body.test_runs.map((each: any) => each.result)).toEqual(['passed', 'failed', 'passed']);
    await openPart(page, 'Instructions');
    await first.fill(before);
    await saveSection(page, 'Opening');
  });

  it('adds a tool, tests it with sample values, changes and removes it', async () => {
    const { page } = dashboard.owner;
    await openPart(page, 'Tools');
    await page.getByText('No tools.').first().waitFor();
    await page.getByRole('button', { name: 'Add a tool during the call' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the tool').fill('find_slots');
    await dialog.getByLabel('When to use it').fill('To find a free time.');
    await dialog.getByLabel('Address').fill(`${tools.origin}/slots`);
    await dialog.getByRole('button', { name: 'Add header' }).click();
    await dialog.getByLabel('Header', { exact: true }).fill('authorization');
    await dialog.getByLabel('Value', { exact: true }).fill('Bearer 0123456789abcdef');
    await dialog.getByRole('button', { name: 'Add parameter' }).click();
    await dialog.getByLabel('Parameter', { exact: true }).fill('day');
    await dialog.getByLabel('From').selectOption('argument');
    await inspect(page, 'assistant-tool');
    await dialog.getByRole('button', { name: 'Save tool' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Test find_slots' }).click();
    await dialog.getByLabel('Argument day').fill('Tuesday');
    await dialog.getByRole('button', { name: 'Send the request' }).click();
    await dialog.getByText('Worked').waitFor();
    await inspect(page, 'assistant-tool-test');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    const seen = tools.seen.at(-1);
    expect(seen?.url).toBe('/slots?day=Tuesday');
    await page.getByRole('button', { name: 'Change find_slots' }).click();
    expect(await dialog.getByLabel('Value', { exact: true }).inputValue()).toMatch(/\*\*\*$/);
    await dialog.getByLabel('When to use it').fill('To find another time.');
    await dialog.getByRole('button', { name: 'Save tool' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('To find another time.').waitFor();
    await inspect(page, 'assistant-tools');
    await page.getByRole('button', { name: 'Test find_slots' }).click();
    await dialog.getByLabel('Argument day').fill('Monday');
    await dialog.getByRole('button', { name: 'Send the request' }).click();
    await dialog.getByText('Worked').waitFor();
    expect(tools.seen.at(-1)?.headers['authorization']).toBe('Bearer 0123456789abcdef');
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Remove find_slots' }).click();
    await page.getByText('find_slots').waitFor({ state: 'detached' });
    expect((await edited()).on_call_tools).toEqual([]);
  });

  it('sends events to a receiver whose masked headers stay, and attaches a knowledge base', async () => {
    const { page } = dashboard.owner;
    const form = new FormData();
    form.set('kb_name', SCRIPT);
    form.set('faqs', JSON.stringify([{ question: 'Where?', answer: 'Here.' }]));
    expect((await dashboard.form('/external/kb', form)).status).toBe(200);
    await openPart(page, 'Knowledge and events');
    await page.getByRole('button', { name: 'Add receiver' }).click();
    await page.getByLabel('Address of receiver 1').fill('https://example.com/hook');
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByLabel('Header', { exact: true }).fill('authorization');
    await page.getByLabel('Value', { exact: true }).fill('Bearer abcdefghijklmnop');
    await saveSection(page, 'Events');
    await page.reload();
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toMatch(/\*\*\*$/);
    await page.getByLabel('Call started').check();
    await saveSection(page, 'Events');
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    await page.getByRole('button', { name: `Detach ${SCRIPT}` }).waitFor();
    await closeMessage(page, 'is attached.');
    await inspect(page, 'assistant-connections');
    const version = await edited();
    expect(version.event_subscriptions).toMatchObject([
      { event_type: expect.arrayContaining(['call_started', 'all_processing_completed']) },
    ]);
    expect(version.knowledge_bases).toHaveLength(1);
  });

  it('asks questions about each call, with a goal and labels', async () => {
    const { page } = dashboard.owner;
    await openPart(page, 'Analysis');
    await page.getByLabel('Background').fill('Calls about visits.');
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByLabel('Name of question 1').fill('agreed');
    await page.getByLabel('Answer', { exact: true }).selectOption('boolean');
    await page.getByLabel('What question 1 asks').fill('Did the person agree?');
    await page.getByLabel('Answer if the call gives none').selectOption('false');
    await page.getByRole('button', { name: 'Add question' }).click();
    await page.getByLabel('Name of question 2').fill('day');
    await page.getByLabel('Answer', { exact: true }).nth(1).selectOption('enum');
    await page.getByText('day needs its values.').waitFor();
    await page.getByLabel('Values of question 2, one a line').fill('Monday\nTuesday');
    await page.getByLabel('The goal of a call').selectOption('agreed');
    await page.getByLabel('Labels of calls, one a line').fill(`booked\n${SCRIPT}`);
    await saveSection(page, 'Questions about each call');
    await page.getByRole('button', { name: 'Add criterion' }).click();
    await page.getByText('Every criterion needs a name and its words.').waitFor();
    await page.getByLabel('Name of criterion 1').fill('confirmed_the_day');
    await page.getByLabel('What criterion 1 demands').fill(`It repeats the day. ${SCRIPT}`);
    await saveSection(page, 'Criteria');
    expect((await edited()).evaluations).toEqual([
      { name: 'confirmed_the_day', criterion: `It repeats the day. ${SCRIPT}` },
    ]);
    await inspect(page, 'assistant-analysis');
    expect((await edited()).client_analysis).toEqual({
      context: 'Calls about visits.',
      goal_key: 'agreed',
      keys: {
        agreed: { type: 'boolean', description: 'Did the person agree?', default: false },
        day: { type: 'enum', values: ['Monday', 'Tuesday'] },
      },
    });
    expect((await record()).classification_labels).toEqual(['booked', SCRIPT]);
  });

  it('lets pages of other addresses call it, shows the widget, and replaces its public key', async () => {
    const { page } = dashboard.owner;
    await openPart(page, 'Browser calls');
    await page.getByText('This service, always allowed').waitFor();
    expect(await page.getByRole('button', { name: `Remove ${dashboard.service.url}` }).count()).toBe(0);
    await page.getByLabel('Another web address').fill('https://www.example.com/path');
    await page.getByText('Is not a web address without a path.').waitFor();
    await page.getByLabel('Another web address').fill('https://www.example.com');
    await page.getByRole('button', { name: 'Add address' }).click();
    await saveSection(page, 'Allowed web addresses');
    expect((await edited()).whitelisted_domains).toEqual([dashboard.service.url, 'https://www.example.com']);
    await page.getByLabel('Words on the button').fill('Talk to Asha');
    await page.getByLabel('Place on the page').selectOption('in-page');
    const preview = page.getByRole('region', { name: 'Preview of the widget' });
    await preview.getByRole('button', { name: 'Talk to Asha' }).waitFor();
    await inspect(page, 'assistant-browser');
    await page.getByRole('button', { name: 'Copy snippet' }).click();
    const key = (await record()).webcall_public_key;
    const snippet = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(snippet).toContain(`public-key="${key}" label="Talk to Asha"></callwright-call>`);
    expect(snippet).toMatch(/integrity="sha384-.+" crossorigin="anonymous"/);
    await page.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const replaced = (await record()).webcall_public_key;
    expect(replaced).not.toBe(key);
    await expect.poll(() => page.getByTestId('public-key').textContent()).toBe(replaced);
  });

  it('chooses the recogniser and a model server of its own, with the key masked', async () => {
    const { page } = dashboard.owner;
    await openPart(page, 'Models');
    await page.getByLabel('The recognisers of the workspace').uncheck();
    await saveSection(page, 'Recogniser');
    await page.getByLabel('Provider of the model').selectOption('server');
    await page.getByLabel('Address of the server').fill('https://llm.example.com/v1');
    await page.getByLabel('Key', { exact: true }).fill('sk-0123456789abcdef');
    await page.getByLabel('Model', { exact: true }).fill('my-model');
    await saveSection(page, 'Language model');
    await page.getByLabel('Who hears and speaks').selectOption({ label: 'Recogniser, model and voice' });
    await saveSection(page, 'Speech to speech');
    await inspect(page, 'assistant-models');
    await page.reload();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toMatch(/\*\*\*$/);
    const { agent_config: config } = await edited();
    expect(config.stt.providers).toEqual(['offline']);
    expect(config.s2s).toMatchObject({ provider: 'pipeline' });
    expect(config.llm).toMatchObject({ provider: 'openai_compatible', model: 'my-model' });
  });

  it('copies a version, shows the difference side by side, and splits calls between both', async () => {
    const { page } = dashboard.owner;
    await openPart(page, 'Versions and A/B test');
    await publishDraft(page, 'v2');
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: 'v2 Active', exact: true }) })
      .getByRole('button', { name: 'Duplicate', exact: true })
      .click();
    await page.getByRole('cell', { name: 'v3', exact: true }).waitFor();
    await page.getByLabel('Version', { exact: true }).selectOption({ label: 'v3' });
    await openPart(page, 'Instructions');
    await page.getByLabel('First message').fill('Good day {{callee_name}}.');
    await saveSection(page, 'Opening');
    await openPart(page, 'Versions and A/B test');
    const difference = page.getByRole('region', { name: 'Difference in First message' });
    await difference.getByText('Good day {{callee_name}}.').waitFor();
    await difference.getByText('Hello {{callee_name}}, this is Asha.').waitFor();
    await page.getByLabel('v2', { exact: true }).fill('40');
    await page.getByLabel('v3', { exact: true }).fill('50');
    await page.getByText('The shares sum to 90, not 100.').waitFor();
    await page.getByLabel('v3', { exact: true }).fill('60');
    await page.getByRole('button', { name: 'Start A/B test' }).click();
    await page.getByRole('region', { name: 'Results of the A/B test' }).getByText('60%').waitFor();
    await inspect(page, 'assistant-versions');
    expect((await record()).ab_versions.map((each: any) => each.call_traffic)).toEqual([40, 60]);
    const row = page
      .getByRole('row')
      .filter({ hasText: 'v3' })
      .filter({ has: page.getByRole('button') });
    await row.getByRole('button', { name: 'Activate' }).click();
    const activating = page.getByRole('dialog');
    await activating.getByText('Test cases of v3: 1 not run since the last change').waitFor();
    await activating.getByRole('button', { name: 'Run test cases of v3' }).click();
    // Its own model server does not exist.
    await activating.getByText(/^The language model gave no answer to line 1: .+\.$/).waitFor();
    await inspect(page, 'assistant-activate');
    await activating.getByRole('button', { name: 'Activate v3' }).click();
    await page.getByText('No test runs.').waitFor();
    expect((await edited()).version_slug).toBe('v3');
  });

  it('reads on a phone, and is archived after its name is typed', async () => {
    const { page, faults } = dashboard.owner;
    const phone = await openPage(dashboard.browser, dashboard.service.url, { width: 390, height: 844 });
    await phone.page.goto(new URL(page.url()).pathname);
    await phone.page.getByLabel('Email').fill(OWNER.email);
    await phone.page.getByLabel('Password').fill(OWNER.password);
    await phone.page.getByRole('button', { name: 'Sign in' }).click();
    await phone.page.getByRole('heading', { name: NAME }).waitFor();
    await inspect(phone.page, 'phone-assistant');
    await phone.page.getByRole('link', { name: 'Behaviour' }).click();
    await inspect(phone.page, 'phone-assistant-behaviour');
    await openPart(phone.page, 'Test cases');
    await phone.page.getByText('Greets').first().waitFor();
    await inspect(phone.page, 'phone-assistant-tests');
    await phone.context.close();
    await page.getByLabel('More actions').click();
    await page.getByRole('button', { name: 'Archive' }).click();
    const dialog = page.getByRole('dialog');
    const archive = dialog.getByRole('button', { name: 'Archive' });
    expect(await archive.isDisabled()).toBe(true);
    await dialog.getByLabel('Type the name of the assistant').fill(NAME);
    await inspect(page, 'assistant-archive');
    await archive.click();
    await page.getByRole('heading', { name: 'Assistants' }).waitFor();
    await page.getByRole('link', { name: NAME, exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: NAME, exact: true }).waitFor();
    expect([...faults, ...phone.faults]).toEqual([]);
  });
});

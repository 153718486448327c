import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend } from './backend.ts';
import { CALL_ENDED, childStep, DAY } from './child-workspace.ts';
import { asOwner } from './owner.ts';
import { obstacle, waitFor, type Step } from './hour.ts';
import { installationSteps } from './installation.ts';
import { run, type Program } from './program.ts';

/** The hour of a backend developer: integration review, section 1. `contacts`: size of the campaign. */
export function developerHour(program: Program, backend: Backend, contacts: number): Step[] {
  const { api } = bound(program);
  let agentId = '';
  let numberId = '';
  let callId = '';

  const details = async (id: string): Promise<any> =>
    (await api('GET', `/calling/call-details?id=${id}`)).body.data;
  const ended = (id: string): Promise<any> =>
    waitFor('end of the call', async () => {
      const call = await details(id);
      return CALL_ENDED.has(call?.call_status) ? call : null;
    });

  return [
    {
      name: 'the service takes calls',
      reviewMinutes: 0.33,
      run: async () => {
        await program.start();
        const ready = await fetch(`${program.url}/readyz`);
        return obstacle(ready.ok, `/readyz answers ${ready.status}`);
      },
    },
    {
      name: 'a first call by the printed command, with its transcript',
      reviewMinutes: 0.92,
      run: async () => {
        const command = program.printed(/bin\/callwright (call .+)/)?.split(' ') ?? ['call', '+14155550123'];
        const { code, output } = await program.command(command);
        const said = output.match(/agent {2}.+/g) ?? [];
        if (code !== 0 || said.length < 2) throw new Error(`exit ${code}: ${output.slice(-160)}`);
        return [
          ...obstacle(command.includes('--agent'), 'the printed command does not name the agent'),
          ...obstacle(!/ (?:on|at|for) ?[.?!]/.test(said.join('\n')), 'the agent speaks a gap'),
        ];
      },
    },
    {
      name: 'a call by the SDK, in strict TypeScript',
      reviewMinutes: 2,
      run: async () => {
        const app = join(program.root, 'app');
        mkdirSync(app, { recursive: true });
        writeFileSync(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}');
        const install = await run('npm', ['install', '--offline', join(program.folder, 'packages/sdk')], app);
        if (install.code !== 0) throw new Error(`npm install: ${install.output.slice(-160)}`);
        const [agents, numbers] = await Promise.all([
          api('GET', '/agent/all'),
          api('GET', '/workspace/numbers'),
        ]);
        agentId = agents.body.data.agents[0].id;
        numberId = numbers.body.workspace_numbers[0].id;
        writeFileSync(
          join(app, 'call.ts'),
          `import { createClient } from '@callwright/sdk';
const client = createClient({ baseUrl: process.env.CALLWRIGHT_URL, apiKey: process.env.CALLWRIGHT_API_KEY });
const { data } = await client.placeCall({
  name: 'Sam', mobile_number: '+14155550123', agent_id: '${agentId}', from_number_id: '${numberId}',
});
console.log(data.call_id);
`,
        );
        const place = () =>
          run(process.execPath, ['--no-warnings', 'call.ts'], app, {
            CALLWRIGHT_URL: program.url,
            CALLWRIGHT_API_KEY: program.key,
          });
        let placed = await place();
        const obstacles = obstacle(
          placed.code === 0,
          'the installed package cannot be imported before it is built',
        );
        if (placed.code !== 0) {
          await run(join(program.folder, 'node_modules/.bin/tsc'), ['-p', 'packages/sdk'], program.folder);
          placed = await place();
        }
        const types = await run(
          join(program.folder, 'node_modules/.bin/tsc'),
          [
            '--noEmit',
            '--strict',
            '--module',
            'nodenext',
            '--target',
            'esnext',
            '--types',
            'node',
            '--typeRoots',
            join(program.folder, 'node_modules/@types'),
            'call.ts',
          ],
          app,
        );
        obstacles.push(...obstacle(types.code === 0, 'the sample does not compile under strict'));
        await ended(placed.output.trim());
        return obstacles;
      },
    },
    {
      name: 'an agent with tools, analyses and receivers of events',
      reviewMinutes: 3,
      run: async () => {
        const { voices } = (await api('GET', '/agent/voices')).body;
        const made = await api('POST', '/public/agent', {
          agent_name: 'Reminder',
          introduction_and_objective: 'You are Maya. Remind {{callee_name}} of the appointment on {{day}}.',
          response_guidelines: 'Be brief.',
          task: '1. Ask whether {{day}} suits. 2. Say goodbye.',
          primary_language: 'en-US',
          voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
          intro_message: 'Hello {{callee_name}}, your appointment is on {{day}}. Does that suit you?',
        });
        if (made.status !== 200) throw new Error(`create: ${made.status} ${JSON.stringify(made.body)}`);
        agentId = made.body.data.id;
        const edit = (operation: string, fields: object) =>
          api('PATCH', '/agent/v1', { operation, agent_id: agentId, ...fields });
        const hook = {
          event_type: 'call_completed',
          callback_url: `${backend.url}/hook`,
          method_type: 'POST',
          headers: {},
        };
        const saved = await edit('edit_event_subscriptions', { event_subscriptions: [hook] });
        const isRefused = saved.status === 422 && JSON.stringify(saved.body).includes('SAFE_FETCH_ALLOW');
        await program.stop();
        await program.start({
          SAFE_FETCH_ALLOW: 'webhooks=127.0.0.1,tools=127.0.0.1',
          LLM_BASE_URL: `${backend.url}/v1`,
          LLM_MODEL: 'own',
        });
        const answers = [
          await edit('edit_event_subscriptions', { event_subscriptions: [hook] }),
          await edit('edit_call_config', { call_config: DAY }),
          await edit('edit_client_analysis', {
            keys: { suits: { type: 'boolean', description: 'Whether the day suits.' } },
          }),
          await edit('edit_post_call_tools', {
            post_call_tools: [
              {
                type: 'API_TOOL',
                name: 'save_result',
                method: 'POST',
                url: `${backend.url}/result`,
                body: { id: '{{call_id}}' },
              },
            ],
          }),
        ];
        const failed = answers.find(({ status }) => status !== 200);
        return [
          ...obstacle(isRefused, 'an address that will be blocked is saved without a word'),
          ...obstacle(
            'call_time' in (made.body.data.call_config ?? {}) || 'calling_window' in made.body.data,
            'the create answer does not say when people are called',
          ),
          ...obstacle(
            failed === undefined,
            `an edit is refused: ${JSON.stringify(failed?.body ?? {}).slice(0, 120)}`,
          ),
        ];
      },
    },
    {
      name: 'a free conversation by text and by phone with a model of one’s own, and a verified webhook',
      reviewMinutes: 8,
      run: async () => {
        const text = await api('POST', `/agent/${agentId}/test`, {
          custom_args_values: { callee_name: 'Priya', day: 'Monday' },
          messages: ['Is Monday free?'],
        });
        const place = (fields: object) =>
          api('POST', '/calling/outbound/individual', {
            name: 'Priya',
            mobile_number: '+14155550123',
            agent_id: agentId,
            from_number_id: numberId,
            ...fields,
          });
        const hole = await place({ custom_args_values: { callee_name: 'Priya' } });
        const names = JSON.stringify(hole.body.data?.warnings ?? hole.body);
        const placed = await place({ custom_args_values: { callee_name: 'Priya', day: 'Monday' } });
        callId = placed.body.data.call_id;
        await ended(callId);
        const event = await waitFor('webhook', () =>
          Promise.resolve(backend.received.find(({ path, raw }) => path === '/hook' && raw.includes(callId))),
        );
        const { id } = (await api('GET', '/workspace')).body.workspace_info;
        const secret = await asOwner(program, id, 'GET', '/api/v0/webhooks/signing-secret');
        return [
          ...obstacle(
            text.status === 200 && text.body.turns?.[0]?.reply?.includes('Monday'),
            'the model does not answer by text',
          ),
          ...obstacle('engine' in (text.body.turns?.[0] ?? {}), 'a test does not say which engine replied'),
          ...obstacle(
            names.includes('day'),
            'a call without a value of a variable is dialled without a word',
          ),
          ...obstacle(
            isSigned(event.headers, event.raw, JSON.stringify(secret)),
            'the signature does not verify',
          ),
        ];
      },
    },
    {
      name: 'answers from a knowledge base',
      reviewMinutes: 10,
      run: async () => {
        const form = new FormData();
        form.set('kb_name', 'Prices');
        form.set(
          'faqs',
          JSON.stringify([
            { question: 'What does a cleaning cost?', answer: 'A cleaning costs eighty dollars.' },
          ]),
        );
        const made = await api('POST', '/external/kb', form);
        const id: string = made.body.kb_id ?? made.body.data?.kb_id ?? made.body.data?.id;
        await waitFor('knowledge base', async () => {
          const { body } = await api('GET', `/external/kb/${id}`);
          return JSON.stringify(body).includes('"completed"') ? body : null;
        });
        const found = await api('POST', `/external/kb/${id}/query`, { query: 'price of a cleaning' });
        return obstacle(JSON.stringify(found.body).includes('eighty'), 'the query does not find the answer');
      },
    },
    {
      name: `a campaign of ${contacts} contacts to its end`,
      reviewMinutes: 21,
      run: async () => {
        const form = new FormData();
        const rows = Array.from({ length: contacts }, (_, n) => `+1415555${String(1000 + n)},Sam,Monday`);
        form.set('agent_id', agentId);
        form.set('file', new Blob([`Mobile Number,callee_name,day\n${rows.join('\n')}\n`]), 'contacts.csv');
        form.set('call_config', JSON.stringify({ call_retry_config: { retry_count: 0 } }));
        const saved = await api('POST', '/campaign/save', form);
        if (saved.status !== 200) throw new Error(JSON.stringify(saved.body).slice(0, 160));
        const listId: string = saved.body.list_id;
        const preview = await api('GET', `/campaign/${listId}/preview`);
        const started = await api('POST', '/campaign/start', {
          agent_id: agentId,
          list_id: listId,
          from_numbers: [numberId],
        });
        if (started.status !== 200) throw new Error(JSON.stringify(started.body).slice(0, 160));
        await waitFor('end of the campaign', async () => {
          const { body } = await api('GET', `/campaign/${listId}`);
          return body.campaign?.campaign_status === 'completed' ? body : null;
        });
        return obstacle(
          preview.status === 200,
          'the API cannot say before the start when people would be called',
        );
      },
    },
    {
      name: 'a list with 15 holes of 20: refused rows with their reasons',
      reviewMinutes: 12,
      run: async () => {
        const form = new FormData();
        const rows = Array.from(
          { length: 20 },
          (_, n) => `+1415555${String(3000 + n)},Sam,${n < 5 ? 'Monday' : ''}`,
        );
        form.set('agent_id', agentId);
        form.set('file', new Blob([`Mobile Number,callee_name,day\n${rows.join('\n')}\n`]), 'contacts.csv');
        const saved = await api('POST', '/campaign/save', form);
        return obstacle(
          saved.status === 422 && JSON.stringify(saved.body).includes('day'),
          'rows without a value are accepted',
        );
      },
    },
    {
      name: 'recording, history as CSV and analytics',
      reviewMinutes: 15,
      run: async () => {
        const call = await waitFor('recording', async () => {
          const read = await details(callId);
          return read?.recording_url == null ? null : read;
        });
        const wav = await fetch(call.recording_url, { headers: { range: 'bytes=0-43' } });
        const csv = await api('POST', '/calling/history/download', {});
        const figures = await api('GET', '/analytics/platform-analytics');
        return [
          ...obstacle(wav.status === 206, `the recording answers ${wav.status}`),
          ...obstacle(csv.status === 200, `the export answers ${csv.status}`),
          ...obstacle(figures.status === 200, `analytics answer ${figures.status}`),
          ...obstacle(Array.isArray(call.transcript), 'the transcript is JSON inside a text'),
        ];
      },
    },
    childStep(program, () => numberId),
    {
      name: 'a test of the agent that is red while the model is down',
      reviewMinutes: 17,
      run: async () => {
        await api('POST', `/agent/${agentId}/test-cases`, {
          name: 'Asks',
          custom_args_values: { callee_name: 'Priya', day: 'Monday' },
          lines: ['Yes, speaking.'],
          expectations: [{ type: 'never_says', any_of: ['discount'] }],
        });
        backend.modelWorks = false;
        const down = await program.command(['test', agentId]);
        backend.modelWorks = true;
        const up = await program.command(['test', agentId]);
        return [
          ...obstacle(
            down.code === 1 || down.code === 3,
            `the command exits with ${down.code} while the model is down`,
          ),
          ...obstacle(up.code === 0, `the command exits with ${up.code} when the model answers`),
        ];
      },
    },
    {
      name: 'a browser call whose variables the visitor cannot change',
      reviewMinutes: 18,
      run: async () => {
        const opened = await api('POST', '/calling/webcall/session', {
          agent_id: agentId,
          custom_args_values: { callee_name: 'Priya', day: 'Monday' },
        });
        return obstacle(
          opened.status === 200 && typeof opened.body.token === 'string',
          `the backend cannot open a session (${opened.status})`,
        );
      },
    },
    ...installationSteps(program, () => details(callId)),
  ];
}

const bound = (program: Program) => ({ api: program.api.bind(program) });

/** Whether one of the signatures is the HMAC of the event by a secret of the workspace (Standard Webhooks). */
function isSigned(headers: Headers, raw: string, secrets: string): boolean {
  const given = (headers.get('webhook-signature') ?? '').split(' ');
  return (secrets.match(/whsec_[\w+/=]+/g) ?? []).some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const text = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${raw}`;
    return given.includes(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  });
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../src/shared/flow-templates/list.ts';
import type { FlowTemplate } from '../../src/shared/flow-templates/template.ts';
import { findVariables } from '../../src/shared/variables.ts';
import { spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { createAgent, details, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { TEST_KEY, type Service } from '../helpers/service/service.ts';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../helpers/sip/baresip.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { edit, startPhoneService } from '../helpers/sip/phone-service.ts';

/** What the person says to which words of the agent, and what the agent says in the end. */
const TALKS: Readonly<Record<string, { answers: readonly (readonly [RegExp, string])[]; ends: RegExp }>> = {
  appointment_booking: { answers: [[/book an appointment/, 'no thank you']], ends: /call you back about it/ },
  appointment_reminder: { answers: [[/still suit you/, 'yes please']], ends: /see you on Tuesday/i },
  lead_qualification: { answers: [[/have a minute/, 'no thank you']], ends: /another time/i },
  survey: {
    answers: [
      [/how likely/, 'ten'],
      [/right\?/, 'yes please'],
    ],
    ends: /good to hear/i,
  },
  order_status: { answers: [[/be at home/, 'yes please']], ends: /deliver on Thursday/i },
  payment_reminder: {
    answers: [
      [/speaking with/, 'yes please'],
      [/paid it already/, 'yes please'],
    ],
    ends: /ignore this call/i,
  },
  support_triage: {
    answers: [
      [/an invoice, or a question/, 'an invoice'],
      [/one sentence/, 'yes please'],
    ],
    ends: /colleague will answer/,
  },
  callback_request: { answers: [[/call you back/, 'no thank you']], ends: /during opening hours/ },
};
const VALUES = {
  callee_name: 'Priya',
  visit_day: 'Tuesday',
  visit_time: 'ten',
  order_number: '4471',
  order_status: 'on its way',
  delivery_day: 'Thursday',
  amount: '80 dollars',
};
/** Variables that every agent has. */
const OF_CALLS = new Set(['callee_name', 'mobile_number']);
const WORDS = [...new Set(Object.values(TALKS).flatMap(({ answers }) => answers.map(([, says]) => says)))];

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
const phones: Baresip[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'flow-templates-'));
  await writeTrack(join(directory, 'silence.wav'), [], 600_000);
  for (const words of WORDS)
    await writeTrack(trackOf(words), [{ atMs: 200, pcm: await spoken(words) }], 600_000);
  const ports: number[] = [];
  for (const _ of FLOW_TEMPLATES) ports.push(await freePort(BARESIP_PORTS));
  ({ service, close } = await startPhoneService(
    ports.map((port, at) => ({ name: `phone${at}`, uri: `sip:127.0.0.1:${port}`, transport: 'udp' })),
    ports.map((_, at) => ({ number: `+1415555010${at}`, trunk: `phone${at}` })),
  ));
  for (const [at, port] of ports.entries())
    phones.push(
      await startBaresip({ user: `+1415555012${at}`, port, saysWav: join(directory, 'silence.wav') }),
    );
}, 400_000);
afterAll(async () => {
  for (const phone of phones) await phone.stop();
  await close();
  await rm(directory, { recursive: true, force: true });
});

const trackOf = (words: string): string => join(directory, `${words.replaceAll(' ', '-')}.wav`);

async function agentOf({ opening, objective, guidelines, task, flow }: FlowTemplate): Promise<string> {
  const own = findVariables(JSON.stringify({ opening, objective, guidelines, task, flow })).filter(
    (name) => !OF_CALLS.has(name) && !flow.variables.some((variable) => variable.name === name),
  );
  const id = await createAgent(service, {
    intro_message: opening,
    introduction_and_objective: objective,
    response_guidelines: guidelines,
    task,
    custom_variables: own,
  });
  await edit(service, id, 'edit_flow', { flow });
  return id;
}

/** Answers each question of the agent when it has been asked, until the stream of the call's attempt ends. */
async function answerQuestions(callId: string, phone: Baresip, id: string): Promise<void> {
  const response = await fetch(`${service.url}/api/v0/calling/${callId}/live`, {
    headers: { 'x-api-key': TEST_KEY },
  });
  let rest = '';
  let last: string | null = null;
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((each) => each.startsWith('data: '))) {
      const event = JSON.parse(line.slice(6));
      if (event.type !== 'line' || event.line.role !== 'agent') continue;
      const { text } = event.line;
      const answer = TALKS[id]!.answers.find(([asked]) => asked.test(text));
      if (answer !== undefined) last = answer[1];
      const isAsked = answer !== undefined || /catch that|still there/.test(text);
      if (isAsked && last !== null) phone.command('ausrc', `aufile,${trackOf(last)}`);
    }
  }
}

/** The call, unless it is still to be dialled or goes on. */
async function overNow(callId: string): Promise<object | null> {
  const call = await details(service, callId);
  return ['registered', 'retry', 'ongoing'].includes(call.call_status) ? null : call;
}

it('holds a spoken call by each of the eight templates without a key, all at once', async () => {
  const calls = FLOW_TEMPLATES.map(async (template, at) => {
    const callId = await place(service, await agentOf(template), `+1415555012${at}`, {
      from_number: `+1415555010${at}`,
      name: 'Priya',
      custom_args_values: VALUES,
      call_config: { call_retry_config: { retry_count: 0 } },
    });
    // A claim that was released, such as by a late dial permit, ends the stream; the call is dialled again.
    for (let call = null; call === null; call = await overNow(callId))
      await answerQuestions(callId, phones[at]!, template.id);
    return { id: template.id, call: await whenOver(service, callId, 200_000) };
  });
  const ended = await Promise.all(calls);
  const talks = ended.map(({ id, call }) => {
    const said = transcriptOf(call).flatMap(({ bot = '' }) => bot);
    const isRight = TALKS[id]!.ends.test(said.slice(-2).join(' '));
    return [id, call.call_sub_status, isRight ? 'as it should' : transcriptOf(call)];
  });
  expect(talks).toEqual(FLOW_TEMPLATES.map(({ id }) => [id, 'AGENT_ENDED', 'as it should']));
}, 300_000);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, place, provisionWith, transcriptOf, whenOver } from '../helpers/scenario.ts';
import { sidesOf, soundingMs } from '../helpers/line-audio.ts';
import { startService, type Service } from '../helpers/service.ts';

const TASK = '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.';
const OBJECTIVE = 'You are Maya of Riverside Dental. You call to confirm an appointment.';
const MESSAGE = 'Hello {{callee_name}}, your order is ready at the counter.';
const once = { call_config: { call_retry_config: { retry_count: 0 } } };

let service: Service;
const agent = (voicemail: Record<string, unknown>, maxSeconds = 90): Promise<string> =>
  createAgent(service, {
    introduction_and_objective: OBJECTIVE,
    task: TASK,
    custom_variables: ['callee_name', 'mobile_number'],
    call_config: { voicemail, max_call_length: maxSeconds },
  });
const said = (call: any, who: 'bot' | 'user'): string[] =>
  transcriptOf(call).flatMap((line) => (line[who] === undefined ? [] : [line[who]]));
const recorded = async (call: any): Promise<{ caller: Int16Array; agent: Int16Array }> =>
  sidesOf(Buffer.from(await (await fetch(call.recording_url)).arrayBuffer()));

beforeAll(async () => {
  service = await startService({ provision: provisionWith({}) });
});
afterAll(() => service?.dispose());

/** Side by side: a call is mostly waiting, and each has a number of its own. */
describe.concurrent('who has taken a call', () => {
  describe('a call is screened', () => {
    it('says who calls and why, waits for the person, and then begins anew', async () => {
      const call = await whenOver(
        service,
        await place(service, await agent({ action: 'end' }), '+14155550008', once),
      );
      expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
      const bot = said(call, 'bot').join(' ');
      expect(bot).toMatch(/confirm an appointment.*Hello, this is Maya.*reminder.*goodbye/is);
      expect(said(call, 'user').join(' ')).not.toMatch(/screening|stay on the line/i);
    }, 120_000);
  });

  describe('a mailbox answers', () => {
    it('is hung up on, and rung again within the budget of retries', async () => {
      const id = await place(service, await agent({ action: 'end' }), '+14155550004', {
        call_config: { call_retry_config: { retry_count: 1, retry_not_picked: 0 } },
      });
      const call = await whenOver(service, id);
      expect(call).toMatchObject({
        call_status: 'completed',
        call_sub_status: 'VOICEMAIL_DETECTED',
        hangup_by: 'agent',
      });
      expect(call.attempts.map((attempt: any) => attempt.sub_status)).toEqual([
        'VOICEMAIL_DETECTED',
        'VOICEMAIL_DETECTED',
      ]);
    }, 120_000);

    it('is not rung again without voicemail.retry', async () => {
      const id = await place(service, await agent({ action: 'end', retry: false }), '+14155560004', {
        call_config: { call_retry_config: { retry_count: 2, retry_not_picked: 0 } },
      });
      expect((await whenOver(service, id)).attempts).toHaveLength(1);
    }, 120_000);

    it('gets the static message after its tone, once and whole', async () => {
      const agentId = await agent({ action: 'static_message', static_message: MESSAGE });
      const call = await whenOver(service, await place(service, agentId, '+14155570004', once));
      expect(call.call_sub_status).toBe('VOICEMAIL_DETECTED');
      expect(said(call, 'bot').at(-1)).toBe('Hello Sam, your order is ready at the counter.');
      expect(said(call, 'bot').filter((text) => text.includes('order'))).toHaveLength(1);
      const sides = await recorded(call);
      // The mailbox has greeted and sounded its tone before; from the message on it is silent.
      const message = transcriptOf(call).at(-1)?.audio_offset_ms ?? 0;
      expect(soundingMs(sides.caller.subarray(0, message * 8))).toBeGreaterThan(5000);
      expect(soundingMs(sides.caller.subarray((message + 200) * 8))).toBe(0);
      expect(soundingMs(sides.agent.subarray(message * 8))).toBeGreaterThan(1500);
    }, 120_000);

    it('gets who called and why where a summary is wanted', async () => {
      const call = await whenOver(
        service,
        await place(service, await agent({ action: 'summarise' }), '+14155580004', once),
      );
      expect(call.call_sub_status).toBe('VOICEMAIL_DETECTED');
      expect(said(call, 'bot').at(-1)).toMatch(/Riverside Dental.*confirm an appointment/);
    }, 120_000);

    it('is talked to like a person where nobody looks', async () => {
      const call = await whenOver(
        service,
        await place(service, await agent({ detect: false }, 14), '+14155590004', once),
      );
      expect(call.call_sub_status).toBe('MAX_CALL_DURATION');
    }, 120_000);
  });

  describe('a person answers', () => {
    it.each(['+14155550123', '+14155550124'])(
      '%s is talked to until the agent has said goodbye',
      async (number) => {
        const call = await whenOver(
          service,
          await place(service, await agent({ action: 'end' }), number, once),
        );
        expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
        expect(said(call, 'bot').join(' ')).toMatch(/reminder.*goodbye/is);
      },
      120_000,
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, place, transcriptOf } from '../../helpers/service/scenario.ts';
import { sidesOf, soundingMs } from '../../helpers/audio/line-audio.ts';
import { specialTones } from '../../rigs/calls/network-sounds.ts';
import { startVirtualService, type VirtualService } from '../../rigs/calls/virtual-service.ts';

const TASK = '1. Ask "Shall we send you a reminder?"\n2. Thank them and say goodbye.';
const OBJECTIVE = 'You are Maya of Riverside Dental. You call to confirm an appointment.';
const MESSAGE = 'Hello {{callee_name}}, your order is ready at the counter.';
const once = { call_config: { call_retry_config: { retry_count: 0 } } };

let service: VirtualService;
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
  sidesOf(await service.recordingOf(call));

beforeAll(async () => {
  service = await startVirtualService();
});
afterAll(() => service?.close());

describe('machine detection on whole calls', () => {
  describe('a screened call', () => {
    it('introduces the caller, waits for the person and then starts over', async () => {
      const call = await service.whenOver(
        await place(service, await agent({ action: 'end' }), '+14155550008', once),
      );
      expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
      const bot = said(call, 'bot').join(' ');
      expect(bot).toMatch(/confirm an appointment.*Hello, this is Maya.*reminder.*goodbye/is);
      expect(said(call, 'user').join(' ')).not.toMatch(/screening|stay on the line/i);
    });
  });

  describe('a mailbox', () => {
    it('is hung up on and retried within the retry budget', async () => {
      const id = await place(service, await agent({ action: 'end' }), '+14155550004', {
        call_config: { call_retry_config: { retry_count: 1, retry_not_picked: 0 } },
      });
      const call = await service.whenOver(id);
      expect(call).toMatchObject({
        call_status: 'completed',
        call_sub_status: 'VOICEMAIL_DETECTED',
        hangup_by: 'agent',
      });
      expect(call.attempts.map((attempt: any) => attempt.sub_status)).toEqual([
        'VOICEMAIL_DETECTED',
        'VOICEMAIL_DETECTED',
      ]);
    });

    it('is not retried without voicemail.retry', async () => {
      const id = await place(service, await agent({ action: 'end', retry: false }), '+14155560004', {
        call_config: { call_retry_config: { retry_count: 2, retry_not_picked: 0 } },
      });
      expect((await service.whenOver(id)).attempts).toHaveLength(1);
    });

    it('gets the whole static message once, after its tone', async () => {
      const agentId = await agent({ action: 'static_message', static_message: MESSAGE });
      const call = await service.whenOver(await place(service, agentId, '+14155570004', once));
      expect(call.call_sub_status).toBe('VOICEMAIL_DETECTED');
      expect(said(call, 'bot').at(-1)).toBe('Hello Sam, your order is ready at the counter.');
      expect(said(call, 'bot').filter((text) => text.includes('order'))).toHaveLength(1);
      const sides = await recorded(call);
      // Greeting and tone precede the message; the mailbox is silent from then on.
      const message = transcriptOf(call).at(-1)?.audio_offset_ms ?? 0;
      expect(soundingMs(sides.caller.subarray(0, message * 8))).toBeGreaterThan(5000);
      expect(soundingMs(sides.caller.subarray((message + 200) * 8))).toBe(0);
      expect(soundingMs(sides.agent.subarray(message * 8))).toBeGreaterThan(1500);
    });

    it('gets an introduction under the action summarise', async () => {
      const call = await service.whenOver(
        await place(service, await agent({ action: 'summarise' }), '+14155580004', once),
      );
      expect(call.call_sub_status).toBe('VOICEMAIL_DETECTED');
      expect(said(call, 'bot').at(-1)).toMatch(/Riverside Dental.*confirm an appointment/);
    });

    it('is treated as a person when detection is off', async () => {
      const call = await service.whenOver(
        await place(service, await agent({ detect: false }, 14), '+14155590004', once),
      );
      expect(call.call_sub_status).toBe('MAX_CALL_DURATION');
    });
  });

  describe('special information tones while it rings', () => {
    const [IN_SERVICE, NO_CIRCUIT] = ['+14155550131', '+14155550132'];

    it('end the call at once, for good when the number is not in service', async () => {
      service.carrier.phone(IN_SERVICE, { early: specialTones([985, 380], [1371, 274], [1777, 380]) });
      const startedAt = service.time.now();
      const call = await service.whenOver(
        await place(service, await agent({ action: 'end' }), IN_SERVICE, {
          call_config: { call_retry_config: { retry_count: 2, retry_failed: 0 } },
        }),
      );
      expect(call).toMatchObject({ call_status: 'failed', call_sub_status: 'NOT_ABLE_TO_CALL' });
      expect(call.attempts).toHaveLength(1);
      expect(service.time.now() - startedAt).toBeLessThan(10_000);
    });

    it('end the attempt and leave the retries when a circuit is missing', async () => {
      service.carrier.phone(NO_CIRCUIT, { early: specialTones([985, 380], [1429, 380], [1777, 380]) });
      const call = await service.whenOver(
        await place(service, await agent({ action: 'end' }), NO_CIRCUIT, {
          call_config: { call_retry_config: { retry_count: 1, retry_failed: 0 } },
        }),
      );
      expect(call).toMatchObject({ call_status: 'failed', call_sub_status: 'RETRY_LIMIT_REACHED' });
      expect(call.attempts).toHaveLength(2);
    });
  });

  describe('a person', () => {
    it.each(['+14155550123', '+14155550124'])(
      'at %s has a conversation until the agent says goodbye',
      async (number) => {
        const call = await service.whenOver(
          await place(service, await agent({ action: 'end' }), number, once),
        );
        expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
        expect(said(call, 'bot').join(' ')).toMatch(/reminder.*goodbye/is);
      },
    );
  });
});

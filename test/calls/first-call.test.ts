import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseWav, rms } from '@callwright/audio';
import {
  createAgent,
  place,
  provisionWith,
  subscribe,
  transcriptOf,
  whenOver,
} from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

let service: Service;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  service = await startService({
    ownDatabase: true,
    provision: provisionWith({}),
    env: { SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  });
});
afterAll(async () => {
  await service?.dispose();
  await receiver?.close();
});

describe('a call to the test carrier with offline speech', () => {
  it('completes its script and leaves transcript, recording, events and charge', async () => {
    const agentId = await createAgent(service, {
      task: [
        '1. Say "You have a check-up with us next week."',
        '2. Ask "Which day would suit you?"',
        '3. Ask "Shall we send you a reminder?"',
        '4. Thank them and say goodbye.',
      ].join('\n'),
    });
    await subscribe(service, agentId, receiver.url);
    const callId = await place(service, agentId, '+14155550123');
    const call = await whenOver(service, callId, 120_000);

    expect(call).toMatchObject({
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
      hangup_by: 'agent',
    });
    const lines = transcriptOf(call);
    const agent = lines.flatMap((line) => line.bot ?? []).join(' ');
    const caller = lines
      .flatMap((line) => line.user ?? [])
      .join(' ')
      .toLowerCase();
    expect(agent).toContain('Which day would suit you?');
    expect(agent).toMatch(/goodbye/i);
    expect(caller).toContain('tuesday');
    expect(agent).toContain('Shall we send you a reminder?');
    expect(lines.map((line) => line.audio_offset_ms)).toEqual(
      lines.map((line) => line.audio_offset_ms).toSorted((a, b) => a - b),
    );
    expect(call.latency.turns.length).toBeGreaterThan(1);
    expect(call.call_cost).toBeGreaterThan(0);

    // The recording: caller left, agent right, as long as the call.
    const answer = await fetch(call.recording_url);
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    const wav = parseWav(Buffer.from(await answer.arrayBuffer()));
    if (!wav.ok) throw new Error(wav.reason);
    expect(wav.channels).toBe(2);
    const side = (offset: number): Int16Array => wav.pcm.filter((_, i) => i % 2 === offset);
    expect(rms(side(0))).toBeGreaterThan(100);
    expect(rms(side(1))).toBeGreaterThan(100);
    const seconds = wav.pcm.length / 2 / wav.sampleRate;
    expect(Math.abs(seconds - call.call_duration)).toBeLessThan(0.5);
    const part = await fetch(call.recording_url, { headers: { range: 'bytes=0-43' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 44]);
    const mp3 = await fetch(call.recording_url.replace(/\.wav$/, '.mp3'));
    expect(mp3.headers.get('content-type')).toBe('audio/mpeg');
    expect((await mp3.arrayBuffer()).byteLength).toBeGreaterThan(10_000);

    const events = await eventually('every event', async () => {
      const got = receiver.events(callId);
      return got.some((e) => e.body.event_type === 'all_processing_completed') ? got : null;
    });
    expect(events.map((e) => e.body.event_type)).toEqual([
      'call_started',
      'call_ringing',
      'call_ongoing',
      'call_completed',
      'recording_completed',
      'all_processing_completed',
    ]);
    expect(events[0]!.headers['authorization']).toBe('Bearer receiver');
    expect(events[0]!.headers['webhook-id']).toBeTruthy();
    expect(receiver.problems()).toEqual([]);

    // Nothing stays locked, and the cost is charged once.
    const { body } = await service.request('GET', '/api/v0/workspace');
    expect(body.workspace_info.locked_credits).toBe(0);
    expect(body.workspace_info.credits).toBe(1000 - call.call_cost);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

describe('GET /calling/call-details', () => {
  it('returns transcript, attempts, latency and recording, and analyses with send_analysis', async () => {
    const answeredAt = new Date('2026-01-05T10:00:00.000Z');
    const id = await reader.insertCall({
      answered_at: answeredAt,
      ended_at: new Date('2026-01-05T10:01:01Z'),
      duration_ms: 61_000,
      cost: 2_000_000,
      hangup_by: 'agent',
    });
    await reader.api.db
      .insertInto('call_attempts')
      .values({
        workspace_id: reader.tenant.workspaceId,
        call_id: id,
        attempt: 1,
        node_id: newId(),
        status: 'ended',
        sub_status: 'AGENT_ENDED',
        claimed_at: answeredAt,
        dialed_at: answeredAt,
        answered_at: answeredAt,
        sip_code: 200,
        duration_ms: 61_000,
      })
      .execute();
    const line = (role: string, text: string, ms: number) => ({
      role,
      text,
      startedAt: answeredAt.getTime() + ms,
      endedAt: answeredAt.getTime() + ms + 500,
      interrupted: false,
      by: 'speech',
    });
    const measure = {
      stt: { vendor: 'deepgram', model: 'flux-general-en' },
      llm: null,
      tts: { vendor: 'offline', model: null },
      firstAudioMs: 40,
      inputTokens: 0,
      cachedTokens: 0,
      outputTokens: 0,
      characters: 9,
      heardCharacters: 6,
      lines: [answeredAt.getTime() + 300],
    };
    const used = { audioMs: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, characters: 0 };
    const turn = (totalMs: number, n: number) => ({
      turn: n,
      endpointingMs: 350,
      recognitionMs: 100,
      modelMs: null,
      voiceMs: 50,
      totalMs,
      prepared: true,
      // A record of an earlier version has no measures.
      ...(n === 2 ? measure : {}),
    });
    await reader.api.db
      .insertInto('call_records')
      .values({
        workspace_id: reader.tenant.workspaceId,
        call_id: id,
        transcript: JSON.stringify([
          {
            ...line('agent', 'Hello.', 300),
            spokenBy: { engine: 'model', vendor: 'anthropic', model: 'one', isFallback: true },
          },
          line('caller', 'हाँ', 2000),
        ]),
        latency: JSON.stringify([turn(500, 1), turn(900, 2), turn(700, 3)]),
        usage: JSON.stringify([
          { ...used, part: 'stt', vendor: 'deepgram', model: 'flux-general-en', audioMs: 61_000 },
          { ...used, part: 'tts', vendor: 'unpriced', model: null, characters: 9 },
        ]),
        tool_log: JSON.stringify([{ name: 'end_call' }]),
        interruptions: 1,
        first_utterance_ms: 320,
        answered_by: JSON.stringify({
          kind: 'screening',
          confidence: 0.95,
          decidedMs: 1900,
          revisedMs: 9400,
          reasons: ['words'],
        }),
        recording_path: 'x.wav',
        recording_ms: 61_000,
        recording_state: 'stored',
        updated_at: answeredAt,
      })
      .execute();
    const plain = await reader.get(`/api/v0/calling/call-details?id=${id}&send_analysis=true`);
    expect(plain.status).toBe(200);
    const data = plain.body['data'] as Record<string, unknown>;
    expect(data).toMatchObject({
      id,
      call_direction: 'outbound',
      call_status: 'completed',
      call_sub_status: 'AGENT_ENDED',
      from_number: '+14155550001',
      to_number: '+14155550002',
      callee_name: 'Priya',
      agent_id: reader.agentId,
      call_duration: 61,
      call_cost: 2,
      hangup_by: 'agent',
      custom_args_values: { callee_name: 'Priya' },
      recording_duration: 61,
      first_utterance_seconds: 0.32,
      answered_by: {
        kind: 'screening',
        confidence: 0.95,
        decided_ms: 1900,
        revised_ms: 9400,
        reasons: ['words'],
      },
      attempts: [
        { attempt_number: 1, status: 'ended', sub_status: 'AGENT_ENDED', sip_code: 200, duration: 61 },
      ],
      latency: { p50_ms: 700, p95_ms: 900, max_ms: 900 },
      tool_call_logs: [{ name: 'end_call' }],
      usage: {
        currency: 'USD',
        cost: 0.006608,
        cost_per_minute: 0.0065,
        is_complete: false,
        vendors: [
          { part: 'stt', vendor: 'deepgram', model: 'flux-general-en', audio_seconds: 61, cost: 0.006608 },
          { part: 'tts', vendor: 'unpriced', model: null, characters: 9, cost: null },
        ],
      },
    });
    expect((data['latency'] as { turns: unknown[] }).turns.slice(0, 2)).toMatchObject([
      { stt: null, heard: null, characters: null },
      {
        stt: { vendor: 'deepgram', model: 'flux-general-en' },
        llm: null,
        tts: { vendor: 'offline', model: null },
        first_audio_ms: 40,
        characters: 9,
        heard_characters: 6,
        heard: 'Hello.',
      },
    ]);
    expect(data['transcript']).toEqual([
      {
        role: 'agent',
        text: 'Hello.',
        at: '2026-01-05T10:00:00.300Z',
        offset_ms: 300,
        engine: 'model',
        vendor: 'anthropic',
        model: 'one',
        is_fallback: true,
        agent: null,
      },
      {
        role: 'user',
        text: 'हाँ',
        at: '2026-01-05T10:00:02.000Z',
        offset_ms: 2000,
        engine: null,
        vendor: null,
        model: null,
        is_fallback: false,
        agent: null,
      },
    ]);
    expect(JSON.parse(String(data['transcription_url']))).toEqual([
      {
        bot: 'Hello.',
        timestamp: '2026-01-05T10:00:00.300Z',
        audio_offset_ms: 300,
        interrupted: false,
        by: 'speech',
      },
      {
        user: 'हाँ',
        timestamp: '2026-01-05T10:00:02.000Z',
        audio_offset_ms: 2000,
        interrupted: false,
        by: 'speech',
      },
    ]);
    expect(data).not.toHaveProperty('platform_analysis');
    await reader.api.db
      .updateTable('call_records')
      .set({ platform_analysis: JSON.stringify({ summary: 'ok' }) })
      .where('call_id', '=', id)
      .execute();
    const analysed = await reader.get(`/api/v0/calling/call-details?id=${id}&send_analysis=true`);
    expect(analysed.body['data']).toMatchObject({ platform_analysis: { summary: 'ok' } });
    expect((await reader.get(`/api/v0/calling/call-details?id=${id}`)).body['data']).not.toHaveProperty(
      'platform_analysis',
    );
    const url = new URL(String(data['recording_url']));
    expect((await reader.get(url.pathname, { key: null })).status).toBe(200);
  });

  it('returns null for values that do not exist yet', async () => {
    const id = await reader.insertCall({ status: 'registered', sub_status: 'QUEUED' });
    const data = (await reader.get(`/api/v0/calling/call-details?id=${id}`)).body['data'];
    expect(data).toMatchObject({
      transcription_url: null,
      recording_url: null,
      call_duration: null,
      attempts: [],
      latency: { turns: [], p50_ms: null },
    });
  });

  it('returns 404 for a call of another workspace', async () => {
    for (const id of [newId(), 'x', '../../..', '%F0%9F%98%80']) {
      const answer = await reader.get(`/api/v0/calling/call-details?id=${id}`);
      expect([answer.status, answer.body['message']]).toEqual([404, 'Call not found']);
    }
    expect((await reader.get('/api/v0/calling/call-details')).body['message']).toBe('id is required');
    expect((await reader.get(`/api/v0/calling/call-details?id=${newId()}&send_analysis=maybe`)).status).toBe(
      422,
    );
  });
});

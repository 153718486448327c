import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { createAnalyses, type Analyses } from '../../helpers/analysis/analysis-api.ts';

let analyses: Analyses;
beforeAll(async () => {
  analyses = await createAnalyses();
});
beforeEach(() => analyses.renew());
afterEach(() => checkStoredEvents(analyses.db));
afterAll(() => analyses.close());

describe('an analysis by rules', () => {
  it('quotes the conversation, types the client keys and emits its events once, in order', async () => {
    const call = await analyses.endedCall();
    const { platform_analysis: platform, client_analysis: client } = await analyses.analysed(call);
    expect(platform).toMatchObject({
      classification: 'interested',
      sentiment: 'positive',
      callback_requested: false,
      callback_requested_time: null,
      call_disconnect_reason: 'AGENT_ENDED',
      timezone: 'America/New_York',
      status: 'analyzed',
      analyzed_by: 'offline-rules',
      action_items: [],
    });
    expect(platform.summary).toContain('Riverside Dental');
    expect(platform.key_points).toContain('How many people will come along? Three.');
    // 5 January 2026 is a Monday.
    expect(client).toEqual({
      confirmed: true,
      people: 3,
      visit_day: '2026-01-06',
      time_of_day: 'afternoon',
      parking: 'unknown',
    });
    const emitted = await analyses.eventsOf(call);
    expect(emitted.map((event) => event.event_type)).toEqual([
      'platform_analysis_completed',
      'client_analysis_completed',
      'all_processing_completed',
    ]);
    expect(emitted[0].body.analysis_data).toEqual(platform);
    expect(emitted[1].body.analysis_data).toEqual(client);
    expect(emitted[1].body.analyzed_by).toBe('offline-rules');
    expect(emitted[2].body).toMatchObject({
      status: 'completed',
      sub_status: 'AGENT_ENDED',
      call_duration: 60,
      hangup_by: 'agent',
      platform_analysis: platform,
      client_analysis: client,
      recording_url: `http://localhost/${call.callId}.wav`,
      recording_duration: 60,
      agent_message_count: 5,
      user_message_count: 4,
    });
    const due = await analyses.db.selectFrom('deliveries').select('event_id').orderBy('event_seq').execute();
    expect(due.map((row) => row.event_id)).toEqual(emitted.map((event) => event.id));
  });

  it('classifies with the agent’s labels; null when none fits', async () => {
    const call = await analyses.endedCall({ labels: ['Hot Lead', 'Not Interested', 'Call Back'] });
    expect((await analyses.analysed(call)).platform_analysis.classification).toBe('Hot Lead');
    const refused = await analyses.endedCall({
      labels: ['Interested', 'Not interested'],
      talk: [
        ['agent', 'Do you want our offer?'],
        ['caller', 'No, I am not interested.'],
      ],
    });
    expect((await analyses.analysed(refused)).platform_analysis).toMatchObject({
      classification: 'Not interested',
      sentiment: 'negative',
    });
    const odd = await analyses.endedCall({ labels: ['red', 'blue'] });
    expect((await analyses.analysed(odd)).platform_analysis.classification).toBeNull();
  });

  it('finds a callback request and resolves its time in the call’s zone', async () => {
    const call = await analyses.endedCall({
      talk: [
        ['agent', 'Is this a good moment?'],
        ['caller', 'Please call me back tomorrow at three pm.'],
      ],
      tools: [
        { name: 'schedule_callback', args: { when: 'tomorrow at 3 pm', said: 'x' }, result: {}, at: 1 },
      ],
    });
    expect((await analyses.analysed(call)).platform_analysis).toMatchObject({
      classification: 'callback_requested',
      callback_requested: true,
      callback_requested_time: '2026-01-06T20:00:00.000Z',
      callback_requested_words: 'tomorrow at 3 pm',
      action_items: ['Please call me back tomorrow at three pm.'],
    });
    const vague = await analyses.endedCall({
      talk: [
        ['agent', 'Hello.'],
        ['caller', 'Call me later.'],
      ],
    });
    expect((await analyses.analysed(vague)).platform_analysis).toMatchObject({
      callback_requested: true,
      callback_requested_time: null,
      callback_requested_words: 'Call me later.',
    });
  });

  it('reads a conversation in Hindi', async () => {
    const call = await analyses.endedCall({
      language: 'hi-IN',
      talk: [
        ['agent', 'नमस्ते, क्या आप मंगलवार को आ सकते हैं?'],
        ['caller', 'जी हाँ'],
      ],
    });
    const { platform_analysis: platform } = await analyses.analysed(call);
    expect(platform).toMatchObject({ classification: 'interested', status: 'analyzed' });
    expect(platform.key_points[0]).toContain('जी हाँ');
  });

  it('classifies a mailbox and keeps the defaults of the client keys', async () => {
    const mailbox = await analyses.endedCall({
      subStatus: 'VOICEMAIL_DETECTED',
      talk: [['agent', 'Hello?']],
    });
    const { platform_analysis: platform, client_analysis: client } = await analyses.analysed(mailbox);
    expect(platform).toMatchObject({
      classification: 'voicemail',
      call_disconnect_reason: 'VOICEMAIL_DETECTED',
    });
    expect(client).toEqual({
      confirmed: false,
      people: null,
      visit_day: null,
      time_of_day: 'morning',
      parking: 'unknown',
    });
  });

  it('of an erased conversation is not stored, and all_processing_completed is emitted', async () => {
    const call = await analyses.endedCall();
    await sql`update call_records set transcript = null, tool_log = null where call_id = ${call.callId}`.execute(
      analyses.db,
    );
    expect(await analyses.analysed(call)).toEqual({
      platform_analysis: null,
      client_analysis: null,
      evaluations: null,
    });
    const emitted = await analyses.eventsOf(call);
    expect(emitted.map((event) => event.event_type)).toEqual(['all_processing_completed']);
    expect(emitted[0].body).toMatchObject({ transcript: [], platform_analysis: null });
  });

  it('without client-analysis keys emits no client analysis', async () => {
    const call = await analyses.endedCall({ client: null });
    expect((await analyses.analysed(call)).client_analysis).toBeNull();
    expect((await analyses.eventsOf(call)).map((event) => event.event_type)).toEqual([
      'platform_analysis_completed',
      'all_processing_completed',
    ]);
  });
});

describe('evaluations by rules', () => {
  const evaluations = [
    { name: 'greets', criterion: 'The agent says "this is Maya".' },
    { name: 'opts_out', criterion: 'The tool "opt_out" is used.' },
    { name: 'polite', criterion: 'The agent is polite.' },
  ];

  it('are stored and sent with the analysis', async () => {
    const call = await analyses.endedCall({ evaluations });
    const judged = [
      { name: 'greets', result: 'passed', reason: expect.stringContaining('this is Maya') },
      { name: 'opts_out', result: 'failed', reason: 'The tool opt_out was not used.' },
      { name: 'polite', result: 'not_judged', reason: expect.stringContaining('language model') },
    ];
    expect((await analyses.analysed(call)).evaluations).toEqual(judged);
    const events = await analyses.eventsOf(call);
    expect(events.map(({ event_type: type, body }) => [type, body.evaluations])).toEqual([
      ['platform_analysis_completed', judged],
      ['client_analysis_completed', undefined],
      ['all_processing_completed', judged],
    ]);
  });

  it('are null in the record and an empty list in events without criteria', async () => {
    const call = await analyses.endedCall();
    expect((await analyses.analysed(call)).evaluations).toBeNull();
    expect((await analyses.eventsOf(call)).at(-1).body.evaluations).toEqual([]);
  });
});

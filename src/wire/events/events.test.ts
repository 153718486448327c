import { describe, expect, it } from 'vitest';
import { campaignPausedBody } from './campaign-paused.ts';
import { alertText, qualityAlertBody } from './quality-alert.ts';
import { campaignCompletedBody } from './campaign-completed.ts';
import { envelope } from './call.ts';
import { chatEnvelope, chatKeys, processedKeys, type ChatFacts } from './chat.ts';
import { clientKeys, conversationKeys, platformKeys, processingKeys, recordingKeys } from './conversation.ts';
import { outboundPausedBody } from './outbound-paused.ts';
import { deliveryFailedBody } from './delivery-failed.ts';
import { receiverDisabledBody } from './receiver-disabled.ts';
import { knowledgeProcessedBody } from './knowledge-processed.ts';

const at = new Date('2026-03-02T10:00:00.000Z');
const BILLING = { id: 'agent-2', name: 'Billing' };
const before = (ms: number): Date => new Date(at.getTime() - ms);

/** The bytes of a body: its keys in their order. */
const bytesOf = (body: object): string => JSON.stringify(body);

describe('the bytes of a call event', () => {
  it('are the own keys of the event, then those of every event', () => {
    const call = {
      id: 'call',
      workspaceId: 'workspace',
      campaignId: 'campaign',
      agentId: 'agent',
      agentName: 'Asha',
      versionId: 'version',
      callType: 'outbound' as const,
      fromNumber: '+14155550100',
      toNumber: '+14155550142',
      args: { callee_name: 'Priya' },
      status: 'ongoing' as const,
      subStatus: 'QUEUED',
      retriesUsed: 1,
      credits: 1.5,
      sipCallId: 'sip',
    };
    expect(
      bytesOf(
        envelope('recording_completed', 'event', call, at, [], recordingKeys('https://a.example/r', 4200)),
      ),
    ).toBe(
      bytesOf({
        recording_url: 'https://a.example/r',
        recording_duration: 4.2,
        event_type: 'recording_completed',
        event_id: 'event',
        call_id: 'call',
        call_sid: 'sip',
        agent_id: 'agent',
        agent_name: 'Asha',
        version_id: 'version',
        workspace_id: 'workspace',
        bulk_list_id: 'campaign',
        custom_args_values: { callee_name: 'Priya' },
        from_number: '+14155550100',
        to_number: '+14155550142',
        call_type: 'outbound',
        status: 'ongoing',
        sub_status: 'QUEUED',
        retry_count: 1,
        call_cost: 1.5,
        occurred_at: '2026-03-02T10:00:00.000Z',
        tool_call_logs: [],
      }),
    );
  });

  it('tell of the conversation', () => {
    const conversation = conversationKeys({
      calledOn: before(60_000),
      durationMs: 42_000,
      transcript: [
        { role: 'agent', text: 'Hello', startedAt: before(41_700).getTime() },
        { role: 'caller', text: 'Yes?', startedAt: before(40_000).getTime() },
        {
          role: 'agent',
          text: 'Billing.',
          startedAt: before(30_000).getTime(),
          spokenBy: { agent: BILLING },
        },
      ],
      audioStartedAt: before(42_000).getTime(),
      latencies: [{ totalMs: 600 }, { totalMs: 700 }],
      firstUtteranceMs: 310,
      answeredBy: {
        kind: 'human',
        confidence: 0.9,
        decidedMs: 820,
        revisedMs: null,
        reasons: ['short_greeting'],
      },
      hangupBy: 'caller',
      mos: { toUs: { average: 4.3784, lowest: 3.9949 }, toFarSide: null },
      failure: { code: 'BUSY', message: 'The line was busy' } as never,
    });
    expect(bytesOf(conversation)).toBe(
      bytesOf({
        call_duration: 42,
        called_on: '2026-03-02T09:59:00.000Z',
        agent_message_count: 2,
        user_message_count: 1,
        transcript: [
          { bot: 'Hello', role: 'agent', text: 'Hello', at: '2026-03-02T09:59:18.300Z', offset_ms: 300 },
          { user: 'Yes?', role: 'user', text: 'Yes?', at: '2026-03-02T09:59:20.000Z', offset_ms: 2000 },
          {
            bot: 'Billing.',
            role: 'agent',
            text: 'Billing.',
            at: '2026-03-02T09:59:30.000Z',
            offset_ms: 12_000,
            agent: { agent_id: BILLING.id, agent_name: 'Billing' },
          },
        ],
        recording_url: null,
        overall_latency_seconds: 0.65,
        first_utterance_seconds: 0.31,
        hangup_by: 'caller',
        mos_received: 4.38,
        mos_received_lowest: 3.99,
        mos_sent: null,
        mos_sent_lowest: null,
        answered_by: {
          kind: 'human',
          confidence: 0.9,
          decided_ms: 820,
          revised_ms: null,
          reasons: ['short_greeting'],
        },
        failure: { code: 'BUSY', message: 'The line was busy' },
      }),
    );
  });

  it('tell of the analyses', () => {
    const evaluations = [{ name: 'Polite', result: 'passed' as const, reason: 'It was.' }];
    expect(bytesOf(platformKeys({ summary: 'Short' }, evaluations))).toBe(
      bytesOf({
        analysis_data: { summary: 'Short' },
        evaluations,
      }),
    );
    expect(bytesOf(clientKeys({ day: 'Monday' }, 'offline-rules'))).toBe(
      bytesOf({
        analysis_data: { day: 'Monday' },
        analyzed_by: 'offline-rules',
      }),
    );
    const processing = {
      recordingUrl: null,
      recordingMs: null,
      platformAnalysis: null,
      clientAnalysis: null,
    };
    expect(bytesOf(processingKeys({ ...processing, evaluations }))).toBe(
      bytesOf({
        recording_url: null,
        recording_duration: null,
        platform_analysis: null,
        client_analysis: null,
        evaluations,
      }),
    );
  });
});

describe('the bytes of a chat event', () => {
  const chat: ChatFacts = {
    id: 'chat',
    workspaceId: 'workspace',
    agentId: 'agent',
    agentName: 'Asha',
    versionId: 'version',
    channel: 'whatsapp',
    customerNumber: '+14155550142',
    args: {},
    endReason: 'USER_LEFT',
    toolLog: [],
    campaignId: null,
    createdAt: before(90_000),
    endedAt: at,
  };
  const messages = [
    { role: 'customer', text: 'Is Monday free?', sentAt: before(90_000) },
    { role: 'person', text: 'Yes.', sentAt: before(30_000) },
  ] as const;
  const keys = {
    chat_duration: 90,
    agent_message_count: 1,
    user_message_count: 1,
    transcript: [
      {
        role: 'user',
        text: 'Is Monday free?',
        at: '2026-03-02T09:58:30.000Z',
        offset_ms: null,
        timestamp: '2026-03-02T09:58:30.000Z',
      },
      {
        role: 'person',
        text: 'Yes.',
        at: '2026-03-02T09:59:30.000Z',
        offset_ms: null,
        timestamp: '2026-03-02T09:59:30.000Z',
      },
    ],
  };

  it('are the own keys of the event, then those of every event of a call', () => {
    const body = chatEnvelope(
      { chat, ownNumber: '+14155550100' },
      'chat_completed',
      'event',
      chatKeys(chat, messages),
      at,
    );
    expect(bytesOf(body)).toBe(
      bytesOf({
        ...keys,
        event_type: 'chat_completed',
        event_id: 'event',
        call_id: 'chat',
        call_sid: 'chat',
        agent_id: 'agent',
        agent_name: 'Asha',
        version_id: 'version',
        workspace_id: 'workspace',
        bulk_list_id: null,
        custom_args_values: {},
        from_number: '+14155550142',
        to_number: '+14155550100',
        call_type: 'chat',
        channel: 'whatsapp',
        status: 'completed',
        sub_status: 'USER_LEFT',
        retry_count: 0,
        call_cost: 0,
        occurred_at: '2026-03-02T10:00:00.000Z',
        tool_call_logs: [],
      }),
    );
  });

  it('tell at the end of all processing what a call would', () => {
    const analyses = { platform: { summary: 'Short' }, client: null, evaluations: [] };
    expect(bytesOf(processedKeys(chat, messages, 'caller', analyses))).toBe(
      bytesOf({
        ...keys,
        call_duration: 90,
        called_on: '2026-03-02T09:58:30.000Z',
        answered_by: null,
        overall_latency_seconds: null,
        first_utterance_seconds: null,
        hangup_by: 'caller',
        recording_url: null,
        recording_duration: null,
        platform_analysis: { summary: 'Short' },
        client_analysis: null,
        evaluations: [],
      }),
    );
  });
});

describe('the bytes of an event that belongs to no call', () => {
  it('tell of the end of a campaign', () => {
    const campaign = {
      id: 'campaign',
      workspaceId: 'workspace',
      agentId: 'agent',
      name: 'Spring',
      state: 'completed' as const,
      startedAt: before(3_600_000),
      endedAt: at,
    };
    const counts = { total: 6, registered: 0, ongoing: 0, retry: 0, completed: 3, failed: 2, cancelled: 1 };
    const messages = { sent: 5, delivered: 4, read: 3, answered: 2 };
    expect(bytesOf(campaignCompletedBody('event', campaign, 'Asha', { ...counts, messages }, at))).toBe(
      bytesOf({
        event_type: 'campaign_completed',
        event_id: 'event',
        workspace_id: 'workspace',
        agent_id: 'agent',
        agent_name: 'Asha',
        bulk_list_id: 'campaign',
        campaign_name: 'Spring',
        status: 'completed',
        counts: {
          total_count: 6,
          registered_count: 0,
          ongoing_count: 0,
          retry_count: 0,
          completed_count: 3,
          failed_count: 2,
          cancelled_count: 1,
          sent_count: 5,
          delivered_count: 4,
          read_count: 3,
          answered_count: 2,
        },
        started_at: '2026-03-02T09:00:00.000Z',
        ended_at: '2026-03-02T10:00:00.000Z',
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
  });

  it('say why the service stopped a campaign, also as the text of a chat', () => {
    const campaign = { workspaceId: 'workspace', agentId: 'agent', id: 'campaign', name: 'Spring' };
    expect(bytesOf(campaignPausedBody('event', campaign, 'balance', 'No credits.', at))).toBe(
      bytesOf({
        event_type: 'campaign_paused',
        event_id: 'event',
        workspace_id: 'workspace',
        agent_id: 'agent',
        bulk_list_id: 'campaign',
        campaign_name: 'Spring',
        reason: 'balance',
        message: 'No credits.',
        text: 'The campaign “Spring” does not call. No credits.',
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
  });

  it('tell of an alert that was raised, also as the text of a chat', () => {
    const facts = {
      workspaceId: 'workspace',
      name: 'Score',
      agentId: 'agent',
      agentName: 'Maya',
      state: 'raised',
      measure: 'score_below',
      detector: null,
      threshold: 70,
      value: 61.25,
      calls: 30,
      windowHours: 12,
    } as const;
    const message = 'The mean score of Maya is 61.3 over 30 calls in 12 hours; the threshold is 70.';
    expect(bytesOf(qualityAlertBody('event', facts, at))).toBe(
      bytesOf({
        event_type: 'quality_alert',
        event_id: 'event',
        workspace_id: 'workspace',
        agent_id: 'agent',
        alert_name: 'Score',
        state: 'raised',
        measure: 'score_below',
        detector: null,
        threshold: 70,
        value: 61.25,
        calls: 30,
        window_hours: 12,
        message,
        text: `The alert “Score” is raised. ${message}`,
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
    const any = { ...facts, measure: 'findings_above', agentName: null, value: 4, state: 'cleared' } as const;
    expect(alertText(any)).toBe(
      'The alert “Score” is cleared. 4.0 % of the calls have a finding, over 30 calls in 12 hours; the threshold is 70 %.',
    );
  });

  it('tell of outbound calls that the anomaly stop paused', () => {
    const facts = { workspaceId: 'workspace', reason: 'spend', attempts: 900, spent: 450.5 } as const;
    expect(bytesOf(outboundPausedBody('event', facts, at))).toBe(
      bytesOf({
        event_type: 'outbound_paused',
        event_id: 'event',
        workspace_id: 'workspace',
        reason: 'spend',
        attempts_of_hour: 900,
        credits_of_hour: 450.5,
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
  });

  it('tell of a delivery that was given up', () => {
    const failed = {
      id: 'delivery',
      method: 'POST',
      eventType: 'call_completed',
      lastStatus: 503,
      lastError: null,
      recovers: true,
    };
    const receiver = { origin: 'https://a.example', nextProbeAt: before(-600_000) };
    expect(bytesOf(deliveryFailedBody('event', 'workspace', failed, receiver, at))).toBe(
      bytesOf({
        event_type: 'webhook_delivery_failed',
        event_id: 'event',
        workspace_id: 'workspace',
        callback_url: 'https://a.example',
        method_type: 'POST',
        delivery_id: 'delivery',
        failed_event_type: 'call_completed',
        last_status: 503,
        last_error: null,
        recovery: 'automatic',
        next_probe_at: '2026-03-02T10:10:00.000Z',
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
  });

  it('tell of a receiver that was disabled', () => {
    const disabled = {
      workspaceId: 'workspace',
      receiverId: 'receiver',
      origin: 'https://a.example',
      method: 'POST',
      failingSince: before(432_000_000),
      lastFailedAt: before(60_000),
    };
    expect(bytesOf(receiverDisabledBody('event', disabled, at))).toBe(
      bytesOf({
        event_type: 'webhook_receiver_disabled',
        event_id: 'event',
        workspace_id: 'workspace',
        receiver_id: 'receiver',
        callback_url: 'https://a.example',
        method_type: 'POST',
        failing_since: '2026-02-25T10:00:00.000Z',
        last_failed_at: '2026-03-02T09:59:00.000Z',
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
  });

  it('tell of a knowledge base that was read', () => {
    const base = {
      workspaceId: 'workspace',
      kbId: 'kb',
      kbName: 'Prices',
      status: 'partial',
      ready: 3,
      failed: 1,
    };
    expect(bytesOf(knowledgeProcessedBody('event', base, at))).toBe(
      bytesOf({
        event_type: 'knowledge_processed',
        event_id: 'event',
        workspace_id: 'workspace',
        kb_id: 'kb',
        kb_name: 'Prices',
        processing_status: 'partial',
        completed_sources: 3,
        failed_sources: 1,
        occurred_at: '2026-03-02T10:00:00.000Z',
      }),
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foundIn } from '../../../src/app/replay-log.ts';
import { checkCall } from '../../../src/domain/quality/check-call.ts';
import { findScore, insertScorecard } from '../../../src/store/quality/scorecards.ts';
import { createAnalyses, type Analyses } from '../../helpers/analysis/analysis-api.ts';
import { startFakeOpenAiServer } from '../../helpers/openai-server.ts';
import { packedFixture } from '../../helpers/sip/replays.ts';

let analyses: Analyses;
beforeAll(async () => {
  analyses = await createAnalyses();
  await analyses.renew();
});
afterAll(() => analyses.close());

const PLATFORM = {
  summary: 'The appointment was confirmed.',
  classification: 'completed',
  key_points: [],
  action_items: [],
  sentiment: 'positive',
  callback_requested: false,
  callback_requested_time: null,
};

describe('the score of a call', () => {
  it('has the verdict and the reason of the model that judged a criterion', async () => {
    const polite = { result: 'failed', reason: 'It interrupts the caller.' };
    const reply = { ...PLATFORM, evaluations: { polite } };
    const server = await startFakeOpenAiServer([{ text: JSON.stringify(reply) }]);
    const { db, clock } = analyses;
    try {
      const call = await analyses.endedCall({
        client: null,
        evaluations: [{ name: 'polite', criterion: 'The agent is polite.' }],
      });
      await analyses.analysed(call, [
        { vendor: 'openai-compatible', baseUrl: server.baseUrl, key: null, model: 'judge-1' },
      ]);
      const { agent_id: agentId } = await db
        .selectFrom('calls')
        .select('agent_id')
        .where('id', '=', call.callId)
        .executeTakeFirstOrThrow();
      const criteria = [
        { name: 'Polite', points: 3, rule: 'criterion_met', criterion: 'polite' },
        { name: 'No dead air', points: 1, rule: 'no_finding', detector: 'dead_air' },
      ] as const;
      const card = { criteria, percent: 100, withFindings: true };
      await db
        .transaction()
        .execute((tx) => insertScorecard(tx, call.workspaceId, agentId, card, new Date(clock.now())));
      await db
        .updateTable('call_records')
        .set({ event_log: packedFixture('booking') })
        .where('call_id', '=', call.callId)
        .execute();
      await checkCall({ db, clock, detect: async (log) => foundIn(log) }, call.workspaceId, call.callId);
      expect(await findScore(db, call.workspaceId, call.callId)).toMatchObject({
        score: 25,
        verdicts: [
          { name: 'Polite', ...polite },
          { name: 'No dead air', result: 'passed' },
        ],
      });
      expect(server.requests).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});

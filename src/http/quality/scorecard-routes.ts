import { changeScorecard, readScorecard, type Scorecard } from '../../domain/quality/scorecards.ts';
import { AgentParams } from '../agents/schemas.ts';
import { answers } from '../common/schemas.ts';
import { iso } from '../common/values.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { ScorecardAnswer, ScorecardBody } from './scorecard-schemas.ts';

type Deps = Pick<ServerDeps, 'db' | 'clock'>;

const tags = ['Quality'];

const toScorecard = (card: Scorecard | null) => ({
  scorecard:
    card === null
      ? null
      : {
          version: card.version,
          criteria: [...card.criteria],
          percent: card.percent,
          with_findings: card.withFindings,
          created_at: iso(card.createdAt),
        },
});

/** GET and PUT /agent/{agent_id}/scorecard. */
export function scorecardRoutes(app: Server, deps: Deps): void {
  app.get(
    '/agent/:agent_id/scorecard',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getScorecard',
        summary: 'What the calls of an agent are scored by',
        description: 'The newest version; null: its calls are not scored.',
        tags,
        params: AgentParams,
        response: answers(ScorecardAnswer, 404),
      },
    },
    async ({ caller, params }) => toScorecard(await readScorecard(deps, caller.workspaceId, params.agent_id)),
  );

  app.put(
    '/agent/:agent_id/scorecard',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'setScorecard',
        summary: 'Change what the calls of an agent are scored by',
        description:
          'Makes a new version, for calls that end from now on; scores keep the version that made them. Without criteria calls are no longer scored.',
        tags,
        params: AgentParams,
        body: ScorecardBody,
        response: answers(ScorecardAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) =>
      toScorecard(
        await changeScorecard(deps, caller.workspaceId, changeEntry, {
          agentId: params.agent_id,
          criteria: body.criteria,
          percent: body.percent ?? 100,
          withFindings: body.with_findings ?? true,
        }),
      ),
  );
}

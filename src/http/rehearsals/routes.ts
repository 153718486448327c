import { draftScenarios } from '../../domain/rehearsals/draft-scenarios.ts';
import {
  readRehearsal,
  readRehearsals,
  showRehearsed,
  startRehearsal,
  stopRehearsal,
} from '../../domain/rehearsals/rehearsals.ts';
import { AgentParams } from '../agents/schemas.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import {
  DraftedScenarios,
  DraftScenariosBody,
  RehearsalAnswer,
  RehearsalList,
  RehearsalParams,
  RehearsalQuery,
  RehearsedCallAnswer,
  RehearsedCallParams,
  RehearsedCallQuery,
  StartRehearsalBody,
} from './schemas.ts';
import { toRehearsal, toRehearsalDetails } from './wire.ts';

type Deps = Pick<
  ServerDeps,
  'db' | 'clock' | 'notices' | 'unitPrices' | 'kickJobs' | 'rehearser' | 'callScenario' | 'modelOf' | 'prices'
>;

const tags = ['Rehearsals'];
const USUAL_CALLS = { text: 200, sound: 20 } as const;
const USUAL_AT_ONCE = 20;
const read = { rateClass: 'read' } as const;
const write = { rateClass: 'write' } as const;

/** Rehearsals of an agent: below /agent/{agent_id}/rehearsals. */
export function rehearsalRoutes(app: Server, deps: Deps): void {
  app.post(
    '/agent/:agent_id/rehearsals',
    {
      config: write,
      schema: {
        operationId: 'startRehearsal',
        summary: 'Call an agent with simulated callers',
        description:
          'In the background, by text in virtual time or by sound in real time, with the built-in engine: no phone rings, no tool runs, and no call appears in the history. Callers with `lines: model`, by text alone, ask the language model of the workspace, and each line costs a model turn; nothing else is charged. 409 while three rehearsals of the agent are under way, without the language model that callers need, and for a `max_cost` with a model that has no price. The newest 50 are kept.',
        tags,
        params: AgentParams,
        body: StartRehearsalBody,
        response: answers(RehearsalAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const { workspaceId } = caller;
      const agentId = params.agent_id;
      const rehearsalId = await startRehearsal(deps, workspaceId, changeEntry, {
        agentId,
        versionId: body.version_id ?? null,
        againstId: body.against_version_id ?? null,
        scenarios: body.scenarios ?? null,
        scenarioFile: body.scenario_file ?? null,
        callId: body.call_id ?? null,
        seed: body.seed ?? 1,
        calls: body.calls ?? USUAL_CALLS[body.mode ?? 'text'],
        timing: body.timing ?? 'usual',
        sound:
          body.mode === 'sound'
            ? { recogniser: body.recogniser ?? 'given', atOnce: body.at_once ?? USUAL_AT_ONCE }
            : null,
        maxCost: body.max_cost ?? null,
      });
      deps.kickJobs?.();
      const waitMs = (body.wait_seconds ?? 0) * 1_000;
      return toRehearsalDetails(await readRehearsal(deps, workspaceId, { agentId, rehearsalId, waitMs }));
    },
  );

  app.post(
    '/agent/:agent_id/rehearsals/scenarios',
    {
      config: write,
      schema: {
        operationId: 'draftScenarios',
        summary: 'Draft scenarios for an agent, by rules or by a language model',
        description:
          'Stores and plays nothing: read the draft, change it, and send it to startRehearsal. A model costs a model turn. 409 when the workspace has no language model, 503 when it writes nothing usable.',
        tags,
        params: AgentParams,
        body: DraftScenariosBody,
        response: answers(DraftedScenarios, 400, 402, 404, 409, 413, 415, 422, 429, 503),
      },
    },
    async ({ caller, params, body }) => {
      const { scenarios, file, writtenBy } = await draftScenarios(deps, caller.workspaceId, {
        agentId: params.agent_id,
        versionId: body.version_id ?? null,
        by: body.by ?? 'rules',
        count: body.count ?? 8,
        wish: body.wish?.trim() ?? '',
      });
      return { scenarios: [...scenarios], scenario_file: file, written_by: writtenBy };
    },
  );

  app.get(
    '/agent/:agent_id/rehearsals',
    {
      config: read,
      schema: {
        operationId: 'listRehearsals',
        summary: 'The rehearsals of an agent, newest first',
        description: 'With their progress, without results.',
        tags,
        params: AgentParams,
        response: answers(RehearsalList, 404),
      },
    },
    async ({ caller, params }) => ({
      rehearsals: (await readRehearsals(deps, caller.workspaceId, params.agent_id)).map(toRehearsal),
    }),
  );

  app.get(
    '/agent/:agent_id/rehearsals/:rehearsal_id',
    {
      config: read,
      schema: {
        operationId: 'getRehearsal',
        summary: 'One rehearsal with its progress and result',
        description: 'With wait_seconds it answers when the rehearsal has ended, or when the time is over.',
        tags,
        params: RehearsalParams,
        querystring: RehearsalQuery,
        response: answers(RehearsalAnswer, 404, 422),
      },
    },
    async ({ caller, params, query }) =>
      toRehearsalDetails(
        await readRehearsal(deps, caller.workspaceId, {
          agentId: params.agent_id,
          rehearsalId: params.rehearsal_id,
          waitMs: (query.wait_seconds ?? 0) * 1_000,
        }),
      ),
  );

  app.post(
    '/agent/:agent_id/rehearsals/:rehearsal_id/cancel',
    {
      config: write,
      schema: {
        operationId: 'cancelRehearsal',
        summary: 'End a rehearsal',
        description: 'Its result has the calls that were played. 409 if it has ended.',
        tags,
        params: RehearsalParams,
        response: answers(RehearsalAnswer, 404, 409),
      },
    },
    async ({ caller, params, changeEntry }) =>
      toRehearsalDetails(
        await stopRehearsal(deps, caller.workspaceId, changeEntry, {
          agentId: params.agent_id,
          rehearsalId: params.rehearsal_id,
        }),
      ),
  );

  app.get(
    '/agent/:agent_id/rehearsals/:rehearsal_id/calls/:call',
    {
      config: read,
      schema: {
        operationId: 'getRehearsedCall',
        summary: 'One call of a rehearsal',
        description:
          'With both sides, tools, verdicts and what detectors found. By text it is played again, and is the same call also after changes of the agent; by sound it is the conversation as it was.',
        tags,
        params: RehearsedCallParams,
        querystring: RehearsedCallQuery,
        response: answers(RehearsedCallAnswer, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const input = {
        agentId: params.agent_id,
        rehearsalId: params.rehearsal_id,
        call: params.call,
        before: query.before ?? false,
      };
      return { rehearsed_call: await showRehearsed(deps, caller.workspaceId, input) };
    },
  );
}

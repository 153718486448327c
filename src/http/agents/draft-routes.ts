import { compareVersions, readHistory } from '../../domain/agents/draft/history.ts';
import { discardDraft, openDraft, readDraft, type Draft } from '../../domain/agents/draft/open-draft.ts';
import { publishDraft, rollBack } from '../../domain/agents/draft/publish.ts';
import { shownVersions } from '../../domain/agents/read-agents.ts';
import { answers } from '../common/schemas.ts';
import { iso } from '../common/values.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { withVoices } from '../voices/with-voices.ts';
import {
  CompareQuery,
  ComparedAnswer,
  DiscardedDraft,
  DiscardQuery,
  DraftAnswer,
  DraftDifferenceAnswer,
  HistoryAnswer,
  HistoryQuery,
  PublishBody,
  PublishedAnswer,
  RollbackBody,
} from './draft-schemas.ts';
import { AgentParams } from './schemas.ts';
import { toVersion } from './wire.ts';

type DraftRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'voices' | 'link'>;

const PAGE = 50;
const tags = ['Agents'];

/** Routes of drafts and the history of versions: /agent/{agent_id}/draft, /versions, /rollback. */
export function agentDraftRoutes(app: Server, deps: DraftRouteDeps): void {
  const toDraft = async (workspaceId: string, open: Draft) => {
    const { draft, agent, tag, liveTag, difference } = open;
    const named = await withVoices(deps, workspaceId, []);
    const [version] = await shownVersions({ ...named, link: deps.link }, workspaceId, [draft]);
    return {
      draft: {
        version_id: draft.id,
        tag,
        author: draft.author,
        base_version_id: draft.baseVersionId,
        live_version_id: agent.activeVersionId,
        live_tag: liveTag,
        is_behind: difference.live.length > 0 || draft.baseVersionId !== agent.activeVersionId,
        changes: difference.draft.length,
        created_at: iso(draft.createdAt),
        updated_at: iso(draft.updatedAt),
        version: toVersion(agent.agentType, version!),
      },
    };
  };

  app.post(
    '/agent/:agent_id/draft',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'openDraft',
        summary: 'Begin a draft of an agent',
        description:
          'Copies the active version into the one draft of the agent; if one is open already, the answer has that one. PATCH /agent/v1 with its version_id changes it, and no call takes it unless a test names it.',
        tags,
        params: AgentParams,
        response: answers(DraftAnswer, 404),
      },
    },
    async ({ caller, params, changeEntry }) => {
      const { workspaceId, actor } = caller;
      return toDraft(
        workspaceId,
        await openDraft(deps, workspaceId, changeEntry, params.agent_id, actor.name),
      );
    },
  );

  app.get(
    '/agent/:agent_id/draft',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getDraft',
        summary: 'The draft of an agent',
        description: 'With its author, and how many settings it changes. 404 without an open draft.',
        tags,
        params: AgentParams,
        response: answers(DraftAnswer, 404),
      },
    },
    async ({ caller, params }) =>
      toDraft(caller.workspaceId, await readDraft(deps.db, caller.workspaceId, params.agent_id)),
  );

  app.get(
    '/agent/:agent_id/draft/difference',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getDraftDifference',
        summary: 'What a draft changes, and what changed meanwhile',
        description:
          'Compares the draft and the active version with the version that the draft copied: texts by words, flows by nodes and edges.',
        tags,
        params: AgentParams,
        response: answers(DraftDifferenceAnswer, 404),
      },
    },
    async ({ caller, params }) => {
      const { tag, liveTag, difference } = await readDraft(deps.db, caller.workspaceId, params.agent_id);
      const { draft, live, conflicts } = difference;
      return {
        draft_tag: tag,
        live_tag: liveTag,
        difference: { draft: draft.map(toChange), live: live.map(toChange), conflicts: [...conflicts] },
      };
    },
  );

  app.delete(
    '/agent/:agent_id/draft',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'discardDraft',
        summary: 'Discard the draft of an agent',
        description: 'The active version stays. With if_draft only if the draft is still as it was read.',
        tags,
        params: AgentParams,
        querystring: DiscardQuery,
        response: answers(DiscardedDraft, 404, 409, 422),
      },
    },
    async ({ caller, params, query, changeEntry }) => {
      const ifDraft = query.if_draft ?? null;
      const id = await discardDraft(deps, caller.workspaceId, changeEntry, params.agent_id, ifDraft);
      return { message: 'Draft discarded', version_id: id };
    },
  );

  publishRoutes(app, deps);
  historyRoutes(app, deps);
}

function publishRoutes(app: Server, deps: DraftRouteDeps): void {
  app.post(
    '/agent/:agent_id/draft/publish',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'publishDraft',
        summary: 'Publish the draft of an agent',
        description:
          'The draft becomes a new version, which takes every new call; calls under way keep theirs, and a running A/B test ends. Answers 409 with the difference on both sides when the active version or the draft has moved, and where the workspace wants a rehearsal that the draft lacks.',
        tags,
        params: AgentParams,
        body: PublishBody,
        response: answers(PublishedAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const { workspaceId, actor } = caller;
      const { id, slug } = await publishDraft(deps, workspaceId, changeEntry, params.agent_id, {
        note: body.note ?? '',
        author: actor.name,
        ifDraft: body.if_draft ?? null,
        ifLive: body.if_live ?? null,
      });
      return { message: 'Draft published', version_id: id, version_slug: slug };
    },
  );

  app.post(
    '/agent/:agent_id/rollback',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'rollBackAgent',
        summary: 'Go back to an earlier version of an agent',
        description:
          'Makes a new version that equals the named one and takes every new call; calls under way keep theirs, a running A/B test ends, and the draft stays. With if_live only if the active version is still as it was read: else 409.',
        tags,
        params: AgentParams,
        body: RollbackBody,
        response: answers(PublishedAnswer, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, params, body, changeEntry }) => {
      const { workspaceId, actor } = caller;
      const { id, slug } = await rollBack(deps, workspaceId, changeEntry, params.agent_id, {
        versionId: body.version_id,
        note: body.note ?? '',
        author: actor.name,
        ifLive: body.if_live ?? null,
      });
      return { message: 'Agent rolled back', version_id: id, version_slug: slug };
    },
  );
}

function historyRoutes(app: Server, { db }: Pick<DraftRouteDeps, 'db'>): void {
  app.get(
    '/agent/:agent_id/versions',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listAgentVersions',
        summary: 'The versions of an agent, newest first',
        description:
          'With the note, author and time of each. The agent record has the newest 50 and those that take calls; this list has all.',
        tags,
        params: AgentParams,
        querystring: HistoryQuery,
        response: answers(HistoryAnswer, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const page = { limit: query.limit ?? PAGE, offset: query.offset ?? 0 };
      const found = await readHistory(db, caller.workspaceId, params.agent_id, page);
      return {
        active_version_id: found.activeVersionId,
        active_tag: found.activeTag,
        draft_version_id: found.draftId,
        versions: found.versions.map((version) => ({
          version_id: version.id,
          version_slug: version.slug,
          note: version.note,
          author: version.author,
          call_traffic: version.callTraffic,
          created_at: iso(version.createdAt),
          updated_at: iso(version.updatedAt),
        })),
        total: found.total,
        ...page,
      };
    },
  );

  app.get(
    '/agent/:agent_id/versions/difference',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'compareAgentVersions',
        summary: 'The difference of two versions of an agent',
        description:
          'What leads from version_id to other_version_id: texts by words, flows by nodes and edges. A draft has a version_id as well.',
        tags,
        params: AgentParams,
        querystring: CompareQuery,
        response: answers(ComparedAnswer, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const changes = await compareVersions(db, caller.workspaceId, params.agent_id, {
        from: query.version_id,
        to: query.other_version_id,
      });
      return { changes: changes.map(toChange) };
    },
  );
}

const toChange = (change: Draft['difference']['draft'][number]) => ({
  ...change,
  words: change.words === null ? null : [...change.words],
});

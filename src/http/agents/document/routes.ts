import { Type } from 'typebox';
import { describeVersion, importAgent, type Described } from '../../../domain/agents/import-agent.ts';
import { voiceIdsIn } from '../../../domain/agents/flow/known-agent.ts';
import { shownVersions } from '../../../domain/agents/read-agents.ts';
import { readCases, storeCases } from '../../../domain/test-cases/cases.ts';
import { errors } from '../../../errors.ts';
import { answers } from '../../common/schemas.ts';
import type { ServerDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/type-provider.ts';
import { createBodyCheck } from '../../server/validation.ts';
import { CASE_FIELDS } from '../../test-cases/case-schemas.ts';
import { toCase } from '../../test-cases/schemas.ts';
import { toTestCase } from '../../test-cases/wire.ts';
import { withVoices } from '../../voices/with-voices.ts';
import { toCreateInput } from '../create-input.ts';
import type { AgentsRouteDeps } from '../routes.ts';
import { AgentParams } from '../schemas.ts';
import { toVersion } from '../wire.ts';
import { objectOf, slugOf, textOf, type JsonObject, type LiveAgent, type Settings } from './document.ts';
import { importedCreation } from './edits.ts';
import { checkWhole, exported, planImport, type AgentNames } from './import-plan.ts';
import { ExportedAgent, ExportQuery, ImportBody, ImportedAgent, ImportedCreation } from './schemas.ts';
import { secretNames } from './secrets.ts';
import { readDocument, renamed, writeDocument } from './text.ts';

type DocumentRouteDeps = AgentsRouteDeps & Pick<ServerDeps, 'vendorVoices'>;
const tags = ['Agents'];

const checkCreation = createBodyCheck(ImportedCreation);
const checkCase = createBodyCheck(Type.Object(CASE_FIELDS));
/** Fields of POST /public/agent by the settings that they come from. */
const SETTING_OF: Readonly<Record<string, string>> = {
  agent_name: 'name',
  agent_type: 'type',
  primary_language: 'language',
  introduction_and_objective: 'prompt',
  response_guidelines: 'prompt',
  task: 'prompt',
};

/** GET /agent/{agent_id}/export, POST /agent/import: one agent as a document. */
export function agentDocumentRoutes(app: Server, deps: DocumentRouteDeps): void {
  app.get(
    '/agent/:agent_id/export',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'exportAgent',
        summary: 'An agent as a document',
        description:
          'Prompt, voice, tools, flow, knowledge bases by name, test cases; the same settings as the files of callwright pull. No secret is in it, and no number.',
        tags,
        params: AgentParams,
        querystring: ExportQuery,
        response: answers(ExportedAgent, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const { workspaceId } = caller;
      const found = await describeVersion(deps.db, workspaceId, params.agent_id, query.version_id ?? null);
      const cases = await readCases(deps, workspaceId, params.agent_id);
      const live = await toLive(
        deps,
        workspaceId,
        found,
        cases.map((each) => plain(toTestCase(each))),
      );
      const settings = exported(
        live,
        found.bases,
        namesOf(found),
        slugOf(found.agent.displayName) || 'agent',
      );
      return {
        file_name: `${slugOf(found.agent.displayName) || 'agent'}.yaml`,
        document: writeDocument(settings),
        secrets: [...new Set(secretNames(settings).values())],
      };
    },
  );

  app.post(
    '/agent/import',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'importAgent',
        summary: 'Make an agent, or a draft of one, from a document',
        description:
          'A document of GET /agent/{agent_id}/export. Without agent_id it becomes a new agent with its test cases; with it, the draft of that agent, which changes calls once it is published. All of it is taken, or nothing: 422 names the settings and their rules.',
        tags,
        body: ImportBody,
        response: answers(ImportedAgent, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const { workspaceId, actor } = caller;
      const document = readDocument(body.document);
      const isNew = body.agent_id === undefined;
      const own = ['voice_id', 'secondary_voice_id'].map((key) => textOf(document[key])).filter(Boolean);
      const ids = [...own, ...voiceIdsIn(document['flow'])];
      const voiced = await withVoices(deps, workspaceId, ids);
      let leftOut: readonly string[] = [];
      const into =
        body.agent_id === undefined
          ? { create: creationIn(document) }
          : { agentId: body.agent_id, author: actor.name };
      const { agentId, versionId } = await importAgent(
        voiced,
        workspaceId,
        changeEntry,
        into,
        async (found, tx) => {
          const cases = isNew ? [] : await readCases({ db: tx }, workspaceId, found.agent.id);
          const shown = cases.map((each) => plain(toTestCase(each)));
          const agent = await toLive({ ...voiced, db: tx }, workspaceId, found, shown);
          const target = { agent, bases: found.bases, names: namesOf(found), isNew };
          const plan = planImport(document, target, body.secrets ?? {});
          leftOut = plan.leftOut;
          const made = plan.cases.map((each, at) => ({
            customArgsValues: {},
            toolResults: [],
            ...toCase(inCase(at, () => checkCase(each))),
          }));
          await storeCases(tx, workspaceId, found.agent.id, made, new Date(deps.clock.now()));
          return plan.edits;
        },
      );
      return {
        message: isNew ? 'Agent imported' : 'Draft imported',
        agent_id: agentId,
        version_id: versionId,
        left_out: [...leftOut],
      };
    },
  );
}

/** Agents by the names of their folders; agents that share one are named by their id. */
function namesOf({ agents }: Described): AgentNames {
  const slugs = agents.map(({ id, name }) => [slugOf(name), id] as const);
  return new Map(
    slugs.filter(([slug]) => slug !== '' && slugs.filter(([other]) => other === slug).length === 1),
  );
}

async function toLive(
  deps: Pick<DocumentRouteDeps, 'db' | 'voices' | 'link'>,
  workspaceId: string,
  { agent, version }: Described,
  cases: readonly JsonObject[],
): Promise<LiveAgent> {
  const [shown] = await shownVersions(deps, workspaceId, [version]);
  if (shown === undefined) throw errors.versionNotFound();
  return {
    id: agent.id,
    tag: '',
    record: {
      agent_display_name: agent.displayName,
      agent_type: agent.agentType,
      classification_labels: [...agent.classificationLabels],
    },
    version: plain(toVersion(agent.agentType, shown)),
    cases,
  };
}

/** The answer as its JSON has it. */
const plain = (answer: object): JsonObject => objectOf(JSON.parse(JSON.stringify(answer)));

function creationIn(document: Settings) {
  checkWhole(document);
  try {
    const creation = checkCreation(importedCreation(document));
    return { ...toCreateInput(creation), secondaryVoiceId: creation.secondary_voice_id ?? null };
  } catch (error) {
    throw renamed(error, (field) => `document.${SETTING_OF[field] ?? field}`);
  }
}

function inCase<T>(at: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw renamed(error, (field) => `document.test_cases[${at}].${field}`);
  }
}

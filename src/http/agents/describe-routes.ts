import { Type } from 'typebox';
import { describeAgent } from '../../domain/analysis/describe-agent.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

const DescribeBody = Type.Object({
  description: Type.String({
    minLength: 10,
    maxLength: 1_000,
    pattern: String.raw`\S`,
    example: 'Calls our guests and asks whether they still come tonight.',
  }),
});
const Described = Type.Object({
  draft: Type.Object(
    {
      agent_name: Type.String({ example: 'Table bookings' }),
      intro_message: Type.String(),
      introduction_and_objective: Type.String(),
      response_guidelines: Type.String(),
      task: Type.String(),
    },
    { description: 'Fields of POST /public/agent.' },
  ),
  written_by: Type.String({ description: 'The language model.', example: 'gpt-5-mini' }),
});

/** POST /agent/describe. */
export function describeRoutes(
  app: Server,
  deps: Pick<ServerDeps, 'db' | 'clock' | 'notices' | 'unitPrices' | 'modelOf'>,
): void {
  app.post(
    '/agent/describe',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'describeAgent',
        summary: 'Have the language model write the texts of an agent from a description',
        description:
          'Stores nothing: the draft is what POST /public/agent takes beside a language and a voice. It costs a model turn. 409 when the workspace has no language model.',
        tags: ['Agents'],
        body: DescribeBody,
        response: answers(Described, 400, 402, 409, 413, 415, 422, 429, 503),
      },
    },
    async ({ caller, body }) => {
      const { model, ...draft } = await describeAgent(deps, caller.workspaceId, body.description.trim());
      return {
        draft: {
          agent_name: draft.name,
          intro_message: draft.opening,
          introduction_and_objective: draft.objective,
          response_guidelines: draft.guidelines,
          task: draft.task,
        },
        written_by: model,
      };
    },
  );
}

import type { FlowDocument } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import { checkFlow } from '../../../voice/flow/check/check-flow.ts';
import { knownOf } from '../flow/known-agent.ts';
import { operation } from './operation.ts';

/** Sets the flow that conversations follow; null: the prompt leads again. Throws 422 with every fault of the flow. */
export const editFlow = operation<{ flow: unknown }>(
  async ({ tx, workspaceId, config, voices }, { flow: document }) => {
    if (document === null) {
      const { flow: _, ...without } = config;
      return { config: without };
    }
    const { flow, faults } = checkFlow(document, await knownOf(tx, workspaceId, config, document, voices));
    if (flow === null)
      throw errors.validationFailed(
        faults.map(({ field, message }) => ({
          field: field === 'flow' || field.startsWith('flow.') ? field : `flow.${field}`,
          message: `is refused: ${message}`,
        })),
      );
    return { config: { ...config, flow: document as FlowDocument } };
  },
);

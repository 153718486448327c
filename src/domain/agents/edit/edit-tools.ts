import type { OnCallTool, PostCallTool, PreCallTool } from '../../../store/json/tools.ts';
import { checkApiTools, checkOnCallTools } from '../../tools/check-tools.ts';
import { sealSecrets } from '../../tools/tool-secrets.ts';
import { checkKeptFlow } from '../flow/kept-flow.ts';
import { readTransferRules } from '../../../store/calls/transfer-legs.ts';
import { operation } from './operation.ts';

/** Replaces the requests that run before the call is dialled. */
export const editPreCallTools = operation<{ preCallTools: PreCallTool[] }>(
  ({ config, seal, guard, workspaceId }, { preCallTools: sent }) => {
    checkApiTools({ guard, workspaceId }, 'pre_call_tools', sent);
    const tools = sealSecrets(seal, 'pre_call_tools', sent, config.preCallTools ?? []);
    return { config: { ...config, preCallTools: tools } };
  },
);

/** Replaces the tools that the agent may use during the call. */
export const editOnCallTools = operation<{ onCallTools: OnCallTool[] }>(
  async ({ tx, workspaceId, countries, config, seal, guard }, { onCallTools: sent }) => {
    const rules = await readTransferRules(tx, workspaceId);
    checkOnCallTools({ guard, workspaceId }, 'on_call_tools', sent, { ...rules, countries });
    const tools = sealSecrets(seal, 'on_call_tools', sent, config.onCallTools ?? []);
    const changed = { ...config, onCallTools: tools };
    checkKeptFlow(changed);
    return { config: changed };
  },
);

/** Replaces the requests that run after the call has ended. */
export const editPostCallTools = operation<{ postCallTools: PostCallTool[] }>(
  ({ config, seal, guard, workspaceId }, { postCallTools: sent }) => {
    checkApiTools({ guard, workspaceId }, 'post_call_tools', sent);
    const tools = sealSecrets(seal, 'post_call_tools', sent, config.postCallTools ?? []);
    return { config: { ...config, postCallTools: tools } };
  },
);

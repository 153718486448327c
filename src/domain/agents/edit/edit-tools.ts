import { Type } from 'typebox';
import { checkApiTools, checkOnCallTools } from '../../tools/check-tools.ts';
import { OnCallTools, PostCallTools, PreCallTools } from '../../tools/tool-schema.ts';
import { sealSecrets } from '../../tools/tool-secrets.ts';
import { readTransferRules } from '../../../store/calls/transfer-legs.ts';
import { operation } from './operation.ts';

/** Replaces the requests that run before the call is dialled. */
export const editPreCallTools = operation(
  Type.Object({ pre_call_tools: PreCallTools }),
  ({ config, seal, guard }, { pre_call_tools: sent }) => {
    checkApiTools(guard, 'pre_call_tools', sent);
    const tools = sealSecrets(seal, 'pre_call_tools', sent, config.pre_call_tools ?? []);
    return { config: { ...config, pre_call_tools: tools } };
  },
);

/** Replaces the tools that the agent may use during the call. */
export const editOnCallTools = operation(
  Type.Object({ on_call_tools: OnCallTools }),
  async ({ tx, workspaceId, countries, config, seal, guard }, { on_call_tools: sent }) => {
    const rules = await readTransferRules(tx, workspaceId);
    checkOnCallTools(guard, 'on_call_tools', sent, { ...rules, countries });
    const tools = sealSecrets(seal, 'on_call_tools', sent, config.on_call_tools ?? []);
    return { config: { ...config, on_call_tools: tools } };
  },
);

/** Replaces the requests that run after the call has ended. */
export const editPostCallTools = operation(
  Type.Object({ post_call_tools: PostCallTools }),
  ({ config, seal, guard }, { post_call_tools: sent }) => {
    checkApiTools(guard, 'post_call_tools', sent);
    const tools = sealSecrets(seal, 'post_call_tools', sent, config.post_call_tools ?? []);
    return { config: { ...config, post_call_tools: tools } };
  },
);

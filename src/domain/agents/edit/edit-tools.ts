import { checkApiTools, checkOnCallTools } from '../../tools/check-tools.ts';
import { sealSecrets } from '../../tools/tool-secrets.ts';
import type { OnCallTool, PostCallTool, PreCallTool } from '../../tools/tool-types.ts';
import type { EditChange, EditContext } from './edit-context.ts';

export interface EditPreCallTools {
  pre_call_tools: PreCallTool[];
}
export interface EditOnCallTools {
  on_call_tools: OnCallTool[];
}
export interface EditPostCallTools {
  post_call_tools: PostCallTool[];
}

/** Replaces what is asked of other servers before the call is dialled. */
export function editPreCallTools({ config, seal }: EditContext, input: EditPreCallTools): EditChange {
  checkApiTools('pre_call_tools', input.pre_call_tools);
  const tools = sealSecrets(seal, 'pre_call_tools', input.pre_call_tools, config.pre_call_tools ?? []);
  return { config: { ...config, pre_call_tools: tools } };
}

/** Replaces what the agent may use during the call. */
export function editOnCallTools({ config, seal }: EditContext, input: EditOnCallTools): EditChange {
  checkOnCallTools('on_call_tools', input.on_call_tools);
  const tools = sealSecrets(seal, 'on_call_tools', input.on_call_tools, config.on_call_tools ?? []);
  return { config: { ...config, on_call_tools: tools } };
}

/** Replaces what other servers are told once the call is over. */
export function editPostCallTools({ config, seal }: EditContext, input: EditPostCallTools): EditChange {
  checkApiTools('post_call_tools', input.post_call_tools);
  const tools = sealSecrets(seal, 'post_call_tools', input.post_call_tools, config.post_call_tools ?? []);
  return { config: { ...config, post_call_tools: tools } };
}

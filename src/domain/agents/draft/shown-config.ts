import { versionDocument, type VersionConfig } from '../../../store/json/agent-version.ts';
import { maskTools } from '../../tools/tool-secrets.ts';
import { maskHeaders } from '../masked-headers.ts';

/** The document of a version under its wire names, without secrets: a masked value stands for each. */
export function shownConfig(own: VersionConfig): Record<string, unknown> {
  const { llm } = own.agentConfig;
  const shown = {
    ...own,
    agentConfig: {
      ...own.agentConfig,
      ...(llm === undefined ? {} : { llm: { ...llm, apiKey: llm.apiKey?.shown ?? null } }),
    },
    eventSubscriptions: own.eventSubscriptions.map((subscription) => ({
      ...subscription,
      headers: maskHeaders(subscription.headers),
    })),
    ...(own.preCallTools === undefined ? {} : { preCallTools: maskTools(own.preCallTools) }),
    ...(own.onCallTools === undefined ? {} : { onCallTools: maskTools(own.onCallTools) }),
    ...(own.postCallTools === undefined ? {} : { postCallTools: maskTools(own.postCallTools) }),
  };
  return { ...versionDocument.write(shown as VersionConfig) };
}

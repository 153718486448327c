import { withAgentConfig, type EditChange, type EditContext } from './edit-context.ts';

export interface EditQueryPhrases {
  pre_query_response_phrases: string[];
  pre_query_phrase_probability?: number;
}

/** Replaces the phrases said while an answer is being looked up; the probability stays when it is not sent. */
export function editQueryPhrases({ config }: EditContext, input: EditQueryPhrases): EditChange {
  return withAgentConfig(config, {
    pre_query_response_phrases: input.pre_query_response_phrases,
    pre_query_phrase_probability:
      input.pre_query_phrase_probability ?? config.agent_config.pre_query_phrase_probability,
  });
}

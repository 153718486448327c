import type { ProviderSettings } from '../../store/json/provider-settings.ts';
import type { AgentType, VersionConfig } from '../../store/json/agent-version.ts';
import { isEnglish, isHeardByPhrases, nounKind } from '@callwright/language';
import { recogniserCode } from '../../vendors/recogniser-languages.ts';
import type { OperatorProviders } from '../../vendors/accounts.ts';
import { findProviders } from '../../store/tenants/providers.ts';
import type { Tx } from '../../store/database.ts';
import { recogniserAccount, toProviderSettings } from '../providers/provider-settings.ts';
import { resolveProviders } from '../providers/resolve-providers.ts';
import { argumentsOf } from '../tools/tool-arguments.ts';
import { isChatAgent } from './agent-version.ts';
import type { PromptBook, UnfollowedPart } from './prompt-book.ts';

/** A part of the script that the agent cannot follow as it is configured, and what happens instead. */
export interface ScriptWarning extends UnfollowedPart {
  readonly message: string;
}

export interface WarningDeps {
  readonly prompts: PromptBook;
  readonly operator: OperatorProviders;
}

/** Tools and scripts may have many questions. */
const MOST = 20;

const WITHOUT = 'Without a language model the agent';
const MESSAGES: Readonly<Record<Exclude<UnfollowedPart['reason'], 'unheard'>, string>> = {
  left_out: `${WITHOUT} leaves this out.`,
  not_done: `${WITHOUT} says that it has noted this, and does nothing.`,
  vague: `${WITHOUT} asks a general question instead.`,
  no_step: 'The script has no step with this number: the conversation ends here.',
};
const UNHEARD =
  "Without a vendor's recogniser the answer to this is not recognised: only yes or no, named choices, days, times, numbers up to 100 and digits are.";
const UNHEARD_BY_KEYS =
  'Without a recogniser for this language callers answer by keys, and keys cannot give the answer to this.';

/** What of an agent's version it cannot follow, and what it asks without a chance to recognise the answer. */
export async function scriptWarnings(
  { prompts, operator }: WarningDeps,
  tx: Tx,
  workspaceId: string,
  config: VersionConfig,
  type: AgentType,
): Promise<readonly ScriptWarning[]> {
  // The prompt's script is not followed.
  if (config.flow != null) return [];
  const settings = toProviderSettings(await findProviders(tx, workspaceId));
  const lacks = {
    model: !hasModel(operator, settings, config),
    recogniser:
      !isChatAgent(type) &&
      prompts.hearsWords?.(config.language) !== true &&
      !recognisesSpeech(operator, settings, config),
  };
  if (!lacks.model && !lacks.recogniser) return [];
  const parts = [
    ...(await prompts.unfollowed(config, lacks)),
    ...(lacks.recogniser ? unheardArguments(config) : []),
  ];
  const unheard = isEnglish(config.language) ? UNHEARD : UNHEARD_BY_KEYS;
  return parts
    .slice(0, MOST)
    .map((part) => ({ ...part, message: part.reason === 'unheard' ? unheard : MESSAGES[part.reason] }));
}

function hasModel(
  operator: OperatorProviders,
  settings: ProviderSettings,
  { agentConfig: agent }: VersionConfig,
): boolean {
  const chosen = resolveProviders(operator, settings, { llm: agent.llm ?? null }, () => '').llm;
  return (chosen ?? operator.chains.llm).length > 0;
}

/** Whether a vendor recognises free speech in the agent's language: a recogniser, or a model that hears itself. */
function recognisesSpeech(
  operator: OperatorProviders,
  settings: ProviderSettings,
  { language, agentConfig: { stt = null, s2s = null } }: VersionConfig,
): boolean {
  const chosen = resolveProviders(operator, settings, { stt, s2s }, () => '');
  if (chosen.s2s !== undefined) return true;
  const accounts =
    chosen.stt ??
    operator.chains.stt.flatMap((name) => recogniserAccount(operator, settings, name, () => '') ?? []);
  return accounts.some(
    ({ name, settings: { model, languages } }) => recogniserCode(name, model, language, languages) !== null,
  );
}

/** Arguments of tools that only the caller's free words can give: a name, an address, a complaint. */
function unheardArguments({ onCallTools: tools = [] }: VersionConfig): UnfollowedPart[] {
  return tools.flatMap((tool) => {
    if (tool.type !== 'API_TOOL') return [];
    return argumentsOf(tool).flatMap(({ name, argument }): UnfollowedPart[] => {
      if (argument.type !== 'string' || argument.enum !== undefined || argument.sensitive === true) return [];
      const wording = `${name.replaceAll(/[_-]+/g, ' ')} ${argument.description ?? ''}`;
      if (!OF_CALLER.test(wording) || isHeardByPhrases(wording, nounKind(wording) ?? 'free')) return [];
      return [{ text: `${tool.name}: ${name}`, reason: 'unheard' }];
    });
  });
}

/** What a caller says in words of their own; other arguments may come from the prompt. */
const OF_CALLER =
  /\b(?:names?|address(?:es)?|e-?mails?|city|town|street|company|employer|occupation|profession|feedback|comments?|complaints?|reasons?|messages?|symptoms?|requirements?|problems?|issues?|budgets?|salary|income|caller said|caller says)\b/i;

import { calleeVariables } from '../../../shared/callee-variables.ts';
import type { VersionConfig } from '../../../store/json/agent-version.ts';
import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { valueOf } from '../../../shared/variables.ts';
import { findAgent, findVersion } from '../../../store/agents/agents.ts';
import type { Db } from '../../../store/database.ts';
import { agentVariables, lookedUpVariables, type AgentVariables } from '../../agents/agent-variables.ts';
import type { PromptBook } from '../../agents/prompt-book.ts';
import { toE164 } from '../../numbers/phone-text.ts';
import { callingWindow, type CallingWindow } from '../../call-windows/calling-window.ts';

/** A person whom the agent might call, as typed or as in a list. */
export interface PreviewContact {
  readonly name: string;
  readonly mobileNumber: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A variable that has an effect on what the agent speaks or follows. */
export interface PreviewVariable {
  readonly name: string;
  /** Where a text needs it, such as `first message`; null: every use has a fallback. */
  readonly neededIn: string | null;
}

export interface ContactPreview {
  /** E.164; null: no number with a country code, so that its window is unknown. */
  readonly mobileNumber: string | null;
  readonly window: CallingWindow | null;
  /** The first message with the values; what lacks one is left out. */
  readonly says: string;
  /** Needed variables without a value. */
  readonly missing: readonly string[];
}

export interface CallPreview {
  readonly variables: readonly PreviewVariable[];
  readonly contacts: readonly ContactPreview[];
}

/** What calls of an agent's active version to these people would say first, and when. Throws 404. */
export async function previewCalls(
  deps: { readonly db: Db; readonly clock: Clock; readonly prompts: Pick<PromptBook, 'firstWords'> },
  workspaceId: string,
  agentId: string,
  contacts: readonly PreviewContact[],
): Promise<CallPreview> {
  const agent = await findAgent(deps.db, workspaceId, agentId);
  if (agent === undefined) throw errors.agentNotFound();
  const version = await findVersion(deps.db, workspaceId, agent.id, agent.activeVersionId);
  if (version === undefined) throw errors.versionNotFound();
  const config = version.config;
  return previewOf(config, contacts, deps.clock.now(), deps.prompts);
}

/** Pure: the preview of one version. */
export function previewOf(
  config: VersionConfig,
  contacts: readonly PreviewContact[],
  now: number,
  prompts: Pick<PromptBook, 'firstWords'>,
): CallPreview {
  const variables = agentVariables(config);
  const lookedUp = lookedUpVariables(config);
  return {
    variables: shownVariables(variables, lookedUp),
    contacts: contacts.map(({ name, mobileNumber, values }): ContactPreview => {
      const to = toE164(mobileNumber);
      const all = {
        ...calleeVariables({ name }),
        ...values,
        ...calleeVariables({ number: to ?? mobileNumber }),
      };
      // A tool sets these before the first word; their values are unknown until then.
      const later = Object.fromEntries(lookedUp.map((each) => [each, '…']));
      return {
        mobileNumber: to,
        window: to === null ? null : callingWindow(config, { by: 'call', callTime: null }, to, now),
        says: prompts.firstWords(config.agentConfig.introMessage, { ...later, ...all }, config.language),
        missing: [...variables.needed.keys()].filter((each) => valueOf(all, each) === null),
      };
    }),
  };
}

/** The fields that every call has are no variables here. */
const GIVEN: ReadonlySet<string> = new Set(['callee_name', 'mobile_number']);

function shownVariables({ used, needed }: AgentVariables, lookedUp: readonly string[]): PreviewVariable[] {
  const set = new Set(lookedUp);
  return [...new Set(used)]
    .filter((name) => !GIVEN.has(name) && !set.has(name))
    .map((name) => ({ name, neededIn: needed.get(name) ?? null }));
}

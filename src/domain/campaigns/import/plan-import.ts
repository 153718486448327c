import { DEFAULT_CALL_TIME } from '../../call-windows/call-time.ts';
import type { AgentType, VersionConfig } from '../../../store/json/agent-version.ts';
import { callLevelDocument, type CallLevelConfig } from '../../../store/json/call-config.ts';
import type { Template } from '../../../store/json/template.ts';
import { agentVariables, lookedUpVariables } from '../../agents/agent-variables.ts';
import { errors, type FieldProblem } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid } from '../../../shared/ids.ts';
import { findAgent, findVersion } from '../../../store/agents/agents.ts';
import { callerNumbersOf, callsTestCarrierOnly } from '../../../store/campaigns/uploads.ts';
import type { Db } from '../../../store/database.ts';
import { isChatAgent, makesOutboundCalls } from '../../agents/agent-version.ts';
import { checkZone } from '../../agents/create-agent.ts';
import type { PromptBook } from '../../agents/prompt-book.ts';
import { variableNames } from '../../whatsapp/template.ts';
import { templateOfAgent, type TemplateDeps, type TemplateName } from '../../whatsapp/templates.ts';
import type { Caller } from '../../workspaces/authenticate-key.ts';
import { defaultWarning, toWindowLevels, windowInForce } from '../../call-windows/calling-window.ts';
import type { Warning } from '../../warnings.ts';
import { campaignTime, hasOffset, lacksOffset, OFFSET_RULE, TIME_RULE } from './campaign-time.ts';
import { checkHead } from './check-head.ts';
import { sharedCallingCode } from '../../calls/contact-number.ts';
import type { ImportPlan } from './import-plan.ts';
import { isCallingCode } from '../../numbers/usual-number.ts';

/** The form of POST /campaign/save and /campaign/upload-csv, beside the file. */
export interface UploadForm {
  readonly agentId: string;
  readonly variablesMap: Readonly<Record<string, string>>;
  readonly countryCode: string | null;
  readonly campaignName: string | null;
  readonly campaignStartTime: string | null;
  readonly campaignEndTime: string | null;
  readonly callConfig: CallLevelConfig | null;
  readonly removeInvalidRows: boolean;
  /** The message that a campaign of a WhatsApp agent sends. */
  readonly template: TemplateName | null;
}

const timeRule = (text: string): string => (lacksOffset(text) ? OFFSET_RULE : TIME_RULE);
const MAX_NAME = 200;

/** The agent that a list is uploaded for. Throws 404, or 400 if it neither makes outbound calls nor sends messages. */
export async function findDialingAgent(
  db: Db,
  workspaceId: string,
  agentId: string,
): Promise<NonNullable<Awaited<ReturnType<typeof findAgent>>>> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (!makesOutboundCalls(agent.agentType) && !isChatAgent(agent.agentType)) throw errors.agentNotOutbound();
  return agent;
}

/**
 * Checks everything about an upload except its rows, in this order: the form (422), the agent (404, 400), the header
 * (422).
 */
export async function planImport(
  deps: TemplateDeps & { clock: Clock; prompts: PromptBook; maxRows: number },
  caller: Caller,
  form: UploadForm,
  file: { name: string; head: Buffer; bytes: number },
): Promise<ImportPlan> {
  checkForm(form, file);
  const { workspaceId } = caller;
  const agent = await findDialingAgent(deps.db, workspaceId, form.agentId);
  const version = await findVersion(deps.db, workspaceId, agent.id, agent.activeVersionId);
  if (version === undefined) throw errors.versionNotFound();
  const config = version.config;
  const { customVariables: declared } = config.agentConfig;
  // A variable filled by a tool or the previous call needs no column; a column of that name is still read.
  const lookedUp = lookedUpVariables(config);
  const { needed, used } = agentVariables(config);
  const template = await templateOf(deps, caller.workspaceId, agent, form.template);
  const columns = {
    variablesMap: form.variablesMap,
    promptVariables: [...needed.keys()],
    neededVariables: [...needed.keys()],
    declaredVariables: [...declared, ...used, ...lookedUp],
    templateVariables: template === null ? [] : variableNames(template),
  };
  const timezone =
    form.callConfig?.callTime?.timezone ?? config.callConfig.callTime.timezone ?? DEFAULT_CALL_TIME.timezone;
  const now = deps.clock.now();
  const times = campaignTimes(form, timezone, now);
  checkHead(file.head, columns);
  return {
    agentId: agent.id,
    versionId: version.id,
    columns,
    numbers: {
      callingCode: form.countryCode?.replace('+', '') ?? null,
      ownCallingCode: sharedCallingCode(await callerNumbersOf(deps.db, workspaceId)),
      allowPremium: caller.destinations.allowPremium,
      destinations: caller.destinations,
      allowUnassigned: await callsTestCarrierOnly(deps.db, workspaceId),
    },
    template,
    removeInvalidRows: form.removeInvalidRows,
    maxRows: deps.maxRows,
    campaign: {
      name: form.campaignName?.trim() ?? nameOf(file.name),
      callConfig: callLevelDocument.write(form.callConfig),
      countryCode: form.countryCode,
      startAt: times.start?.toISOString() ?? null,
      endAt: times.end?.toISOString() ?? null,
    },
    calling: callingOf(config, form, template === null, times.start, now),
  };
}

/** The calling window of the campaign, and what its sender should know about its times. */
function callingOf(
  config: VersionConfig,
  form: UploadForm,
  isCalled: boolean,
  start: Date | null,
  now: number,
): NonNullable<ImportPlan['calling']> {
  const { time, source } = windowInForce(config, { by: 'campaign', callTime: form.callConfig?.callTime });
  const late: Warning[] =
    start === null || start.getTime() >= now
      ? []
      : [
          {
            code: 'START_IN_PAST',
            field: 'campaign_start_time',
            message: `${start.toISOString()} has passed: the campaign calls as soon as it is started`,
          },
        ];
  if (!isCalled) return { window: null, warnings: late };
  return {
    window: toWindowLevels(time, source),
    warnings: [...(source === 'default' ? [defaultWarning()] : []), ...late],
  };
}

/** The template of a WhatsApp agent's campaign, as the account has it now. Throws 422 and what reading it throws. */
async function templateOf(
  deps: TemplateDeps,
  workspaceId: string,
  agent: { readonly id: string; readonly agentType: AgentType },
  wanted: TemplateName | null,
): Promise<Template | null> {
  if (!isChatAgent(agent.agentType)) {
    if (wanted !== null) throw errors.invalid('template', 'belongs to campaigns of WhatsApp agents');
    return null;
  }
  if (wanted === null)
    throw errors.invalid('template', 'is required: a WhatsApp agent writes first by template');
  return templateOfAgent(deps, workspaceId, agent.id, wanted);
}

function checkForm(form: UploadForm, file: { bytes: number }): void {
  const problems: FieldProblem[] = [];
  if (file.bytes === 0) problems.push({ field: 'file', message: 'must not be empty' });
  if (form.countryCode !== null && !isCallingCode(form.countryCode.replace('+', ''))) {
    problems.push({ field: 'country_code', message: 'must be a country calling code, such as +91' });
  }
  // Two local times are of one zone, so comparing the digits compares the times.
  const start = form.campaignStartTime === null ? null : campaignTime(form.campaignStartTime, 'Etc/GMT');
  const end = form.campaignEndTime === null ? null : campaignTime(form.campaignEndTime, 'Etc/GMT');
  if (form.campaignStartTime !== null && start === null) {
    problems.push({ field: 'campaign_start_time', message: timeRule(form.campaignStartTime) });
  }
  if (form.campaignEndTime !== null && end === null) {
    problems.push({ field: 'campaign_end_time', message: timeRule(form.campaignEndTime) });
  }
  const areAlike = hasOffset(form.campaignStartTime ?? '') === hasOffset(form.campaignEndTime ?? '');
  if (start !== null && end !== null && areAlike && end <= start) {
    problems.push({ field: 'campaign_end_time', message: 'must be after campaign_start_time' });
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  if (form.callConfig !== null) checkZone(form.callConfig);
}

function campaignTimes(
  form: UploadForm,
  zone: string,
  now: number,
): { start: Date | null; end: Date | null } {
  const read = (text: string | null): Date | null => (text === null ? null : campaignTime(text, zone));
  const [start, end] = [read(form.campaignStartTime), read(form.campaignEndTime)];
  if (end !== null && end.getTime() <= now) {
    throw errors.invalid('campaign_end_time', `must be in the future (it is read on the clocks of ${zone})`);
  }
  // A clock change can map two local times to one instant.
  if (start !== null && end !== null && end <= start) {
    const isLocal = !hasOffset(form.campaignStartTime ?? '') && !hasOffset(form.campaignEndTime ?? '');
    if (!isLocal) throw errors.invalid('campaign_end_time', 'must be after campaign_start_time');
    throw errors.invalid(
      'campaign_end_time',
      `must be after campaign_start_time: the clocks of ${zone} go forward over both`,
    );
  }
  return { start, end };
}

/** The campaign's name; defaults to the name of the file. */
const nameOf = (fileName: string): string =>
  fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '').slice(0, MAX_NAME) || 'Campaign';

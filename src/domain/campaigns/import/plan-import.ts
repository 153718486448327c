import { errors, type FieldProblem } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { isUuid } from '../../../shared/ids.ts';
import { findAgent, findVersion } from '../../../store/agents.ts';
import { callsTestCarrierOnly } from '../../../store/campaign-uploads.ts';
import type { Db } from '../../../store/database.ts';
import { makesOutboundCalls, type VersionConfig } from '../../agents/agent-version.ts';
import { DEFAULT_CALL_CONFIG, type CallLevelConfig } from '../../agents/call-config.ts';
import { checkZone } from '../../agents/create-agent.ts';
import type { PromptBook } from '../../agents/prompt-book.ts';
import type { Caller } from '../../workspaces/authenticate-key.ts';
import { campaignTime } from './campaign-time.ts';
import { checkHead } from './check-head.ts';
import type { ImportPlan } from './import-plan.ts';
import { isCallingCode } from './usual-number.ts';

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
}

const TIME_RULE = 'must be a date and time of the shape DD/MM/YYYY, HH:MM';
const MAX_NAME = 200;

/**
 * Checks what an upload asks for, but for its rows: the form, then the agent, then the header. Throws 422, 404, 400
 * and 422, looked for in this order.
 */
export async function planImport(
  deps: { db: Db; clock: Clock; prompts: PromptBook; maxRows: number },
  caller: Caller,
  form: UploadForm,
  file: { name: string; head: Buffer; bytes: number },
): Promise<ImportPlan> {
  checkForm(form, file);
  const { workspaceId } = caller;
  const agent = isUuid(form.agentId) ? await findAgent(deps.db, workspaceId, form.agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (!makesOutboundCalls(agent.agent_type)) throw errors.agentNotOutbound();
  const version = await findVersion(deps.db, workspaceId, agent.id, agent.active_version_id);
  if (version === undefined) throw errors.versionNotFound();
  const config = version.config as unknown as VersionConfig;
  const { agent_prompt: prompt, intro_message: intro, custom_variables: declared } = config.agent_config;
  // What is looked up before the call needs no column; one of its name is taken all the same.
  const lookedUp = new Set(
    (config.pre_call_tools ?? []).flatMap((tool) => Object.keys(tool.result_variables ?? {})),
  );
  const columns = {
    variablesMap: form.variablesMap,
    promptVariables: deps.prompts.variables(`${prompt}\n${intro}`).filter((name) => !lookedUp.has(name)),
    declaredVariables: [...declared, ...lookedUp],
  };
  const timezone =
    form.callConfig?.call_time?.timezone ??
    config.call_config.call_time.timezone ??
    DEFAULT_CALL_CONFIG.call_time.timezone;
  const times = campaignTimes(form, timezone, deps.clock.now());
  checkHead(file.head, columns);
  return {
    agentId: agent.id,
    versionId: version.id,
    columns,
    numbers: {
      callingCode: form.countryCode?.replace('+', '') ?? null,
      allowPremium: caller.allowPremium,
      allowUnassigned: await callsTestCarrierOnly(deps.db, workspaceId),
    },
    removeInvalidRows: form.removeInvalidRows,
    maxRows: deps.maxRows,
    campaign: {
      name: form.campaignName?.trim() ?? nameOf(file.name),
      callConfig: form.callConfig,
      countryCode: form.countryCode,
      startAt: times.start?.toISOString() ?? null,
      endAt: times.end?.toISOString() ?? null,
    },
  };
}

function checkForm(form: UploadForm, file: { bytes: number }): void {
  const problems: FieldProblem[] = [];
  if (file.bytes === 0) problems.push({ field: 'file', message: 'must not be empty' });
  if (form.countryCode !== null && !isCallingCode(form.countryCode.replace('+', ''))) {
    problems.push({ field: 'country_code', message: 'must be a country calling code, such as +91' });
  }
  // The order of two times is that of their digits: both are read on the same clocks.
  const start = form.campaignStartTime === null ? null : campaignTime(form.campaignStartTime, 'Etc/GMT');
  const end = form.campaignEndTime === null ? null : campaignTime(form.campaignEndTime, 'Etc/GMT');
  if (form.campaignStartTime !== null && start === null) {
    problems.push({ field: 'campaign_start_time', message: TIME_RULE });
  }
  if (form.campaignEndTime !== null && end === null) {
    problems.push({ field: 'campaign_end_time', message: TIME_RULE });
  }
  if (start !== null && end !== null && end <= start) {
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
  // Clocks that jump may make one instant of two times.
  if (start !== null && end !== null && end <= start) {
    throw errors.invalid(
      'campaign_end_time',
      `must be after campaign_start_time: the clocks of ${zone} go forward over both`,
    );
  }
  return { start, end };
}

/** A campaign without a name has its file's. */
const nameOf = (fileName: string): string =>
  fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '').slice(0, MAX_NAME) || 'Campaign';

import { RefusedRequest, type Service } from './client.ts';
import {
  listOf,
  objectOf,
  Refused,
  textOf,
  type JsonObject,
  type Live,
  type LiveAgent,
  type Settings,
  type State,
} from '../../http/agents/document/document.ts';
import { toSettings } from '../../http/agents/document/names.ts';
import { planOf, type AgentPlan, type Files, type PlanOptions } from '../../http/agents/document/plan.ts';
import { secretNames } from '../../http/agents/document/secrets.ts';
import { readAgent, withAgent } from './service.ts';
import { digestsOf } from '../../http/agents/document/settings.ts';

export interface ApplyOptions extends PlanOptions {
  /** Of the versions, for the history. */
  readonly note: string;
  /** Stores the state after each step that the next apply has to know. */
  readonly save: (state: State) => void;
  readonly print: (line: string) => void;
}

/**
 * Changes the service into what the files have: new agents first, then each agent by a published draft, its name, labels and test cases,
 * and at last the numbers. Throws Refused when somebody changed an agent meanwhile or a draft is open, and ServiceError; what was
 * applied until then is in the saved state.
 */
export async function applyFiles(
  api: Service,
  files: Files,
  start: { readonly state: State; readonly live: Live },
  options: ApplyOptions,
): Promise<void> {
  const run = new Run(api, files, start, options);
  const { agents } = run.plan();
  for (const plan of agents) if (plan.creation !== null) await run.create(plan.folder, plan.creation);
  for (const { folder } of agents) await run.agent(folder);
  await run.numbers(agents.map(({ folder }) => folder));
}

class Run {
  readonly #api: Service;
  readonly #files: Files;
  readonly #options: ApplyOptions;
  #state: State;
  #live: Live;

  constructor(api: Service, files: Files, start: { state: State; live: Live }, options: ApplyOptions) {
    this.#api = api;
    this.#files = files;
    this.#options = options;
    this.#state = start.state;
    this.#live = start.live;
  }

  /** Throws Refused for a plan with problems. */
  plan(): { agents: readonly AgentPlan[] } {
    const plan = planOf(this.#files, this.#state, this.#live, this.#options);
    if (plan.problems.length > 0) throw new Refused(plan.problems);
    return plan;
  }

  #planOf(folder: string): AgentPlan | undefined {
    const own = new Map([...this.#files].filter(([name]) => name === folder));
    const plan = planOf(own, this.#state, this.#live, this.#options);
    if (plan.problems.length > 0) throw new Refused(plan.problems);
    return plan.agents[0];
  }

  async create(folder: string, body: JsonObject): Promise<void> {
    const { data } = await this.#api.send<{ data: { id: string } }>('POST', '/public/agent', body);
    await this.#read(folder, data.id);
    this.#options.print(`${folder}: created`);
  }

  async agent(folder: string): Promise<void> {
    const first = this.#planOf(folder);
    if (first === undefined) return;
    const { id } = this.#agent(folder);
    this.#options.print(`${folder}: ${first.changes.map(({ key }) => key).join(', ')}`);
    // A second language may need the second voice, which the draft brings.
    const needsVoice =
      first.update['secondary_language'] != null &&
      first.changes.some(({ key }) => key === 'secondary_voice_id');
    if (!needsVoice) await this.#update(folder, id, first);
    const plan = this.#planOf(folder);
    if (plan === undefined) return;
    if (plan.edits.length > 0 || plan.bases.attach.length > 0 || plan.bases.remove.length > 0)
      await this.#publish(folder, id, plan);
    if (needsVoice) await this.#update(folder, id, first);
    for (const { operation, fields } of plan.agentEdits) {
      const { record } = this.#agent(folder);
      const version_id = textOf(record['active_agent_version_id']);
      await this.#api.send('PATCH', '/agent/v1', { operation, agent_id: id, version_id, ...fields });
    }
    const { create, change, remove } = plan.cases;
    for (const caseId of remove) await this.#api.send('DELETE', `/agent/${id}/test-cases/${caseId}`);
    for (const { id: caseId, body } of change)
      await this.#api.send('PATCH', `/agent/${id}/test-cases/${caseId}`, body);
    for (const body of create) await this.#api.send('POST', `/agent/${id}/test-cases`, body);
    await this.#read(folder, id);
  }

  /** Changes what no draft has, if the agent is still as it was read. */
  async #update(folder: string, id: string, { update }: AgentPlan): Promise<void> {
    if (Object.keys(update).length === 0) return;
    const { tag } = this.#agent(folder);
    await this.#guarded(folder, () => this.#api.send('PATCH', `/public/agent/${id}`, update, tag));
    await this.#read(folder, id);
  }

  /** Takes numbers from their agents before it gives them to others. */
  async numbers(folders: readonly string[]): Promise<void> {
    const plans = folders.flatMap((folder) => {
      const plan = this.#planOf(folder);
      return plan === undefined ? [] : [{ id: this.#agent(folder).id, folder, numbers: plan.numbers }];
    });
    const send = async (operation: string, agent_id: string, number_id: string): Promise<void> => {
      await this.#api.send('PATCH', '/agent/v1', { operation, agent_id, number_id });
      const agentId = operation === 'attach_inbound_number' ? agent_id : null;
      this.#live = {
        ...this.#live,
        numbers: this.#live.numbers.map((number) =>
          number.id === number_id ? { ...number, agentId } : number,
        ),
      };
    };
    for (const { id, numbers } of plans)
      for (const number of numbers.remove) await send('remove_inbound_number', id, number);
    for (const { id, numbers } of plans)
      for (const number of numbers.attach) await send('attach_inbound_number', id, number);
    for (const { folder, id } of plans) await this.#read(folder, id);
  }

  async #publish(folder: string, id: string, plan: AgentPlan): Promise<void> {
    const agent = this.#agent(folder);
    if (agent.record['is_ab_live'] === true)
      throw new Refused([`${folder}: an A/B test runs, which a publication ends: end it first`]);
    const { draft } = await this.#api.send<{ draft: JsonObject }>('POST', `/agent/${id}/draft`);
    if (draft['changes'] !== 0 || draft['is_behind'] === true)
      throw new Refused([
        `${folder}: a draft of ${textOf(draft['author']) || 'somebody'} is open: publish or discard it first`,
      ]);
    try {
      const version_id = textOf(draft['version_id']);
      const moved = this.#differs(folder, { ...agent, version: objectOf(draft['version']) });
      if (moved.length > 0) throw movedSince(folder, moved);
      const edit = (operation: string, fields: JsonObject) =>
        this.#api.send('PATCH', '/agent/v1', { operation, agent_id: id, version_id, ...fields });
      for (const kb_id of plan.bases.remove) await edit('remove_kb', { kb_id });
      for (const kb_id of plan.bases.attach) await edit('attach_kb', { kb_id });
      for (const { operation, fields } of plan.edits) await edit(operation, fields);
      const { draft: edited } = await this.#api.get<{ draft: JsonObject }>(`/agent/${id}/draft`);
      await this.#guarded(folder, () =>
        this.#api.send('POST', `/agent/${id}/draft/publish`, {
          note: this.#options.note,
          if_draft: edited['tag'] ?? '',
          if_live: draft['live_tag'] ?? '',
        }),
      );
    } catch (error) {
      await this.#api.send('DELETE', `/agent/${id}/draft`).catch(() => undefined);
      throw error;
    }
    await this.#read(folder, id);
  }

  /** The settings in which the agent is not as the plan was made for. */
  #differs(folder: string, agent: LiveAgent): string[] {
    const [now, seen] = [agent, this.#agent(folder)].map((each) => digestsOf(this.#settings(folder, each)));
    return Object.keys(seen ?? {}).filter((key) => now?.[key] !== seen?.[key]);
  }

  #settings(folder: string, agent: LiveAgent): Settings {
    return toSettings(folder, agent, this.#live, this.#state, secretNames(this.#files.get(folder) ?? {}));
  }

  #agent(folder: string): LiveAgent {
    const id = this.#state.agents[folder]?.id;
    const agent = this.#live.agents.find((each) => each.id === id);
    if (agent === undefined) throw new Refused([`${folder}: the service has its agent no more`]);
    return agent;
  }

  /** Reads the agent again and stores what is applied. */
  async #read(folder: string, id: string): Promise<void> {
    const agent = await readAgent(this.#api, id);
    this.#live = withAgent(this.#live, agent);
    const known = { ...this.#state.agents, [folder]: { id, settings: {} } };
    this.#state = { ...this.#state, agents: known };
    const settings = digestsOf(this.#settings(folder, agent));
    this.#state = { ...this.#state, agents: { ...known, [folder]: { id, settings } } };
    this.#options.save(this.#state);
  }

  /** Names what another change moved. */
  async #guarded(folder: string, send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof RefusedRequest) || (error.status !== 409 && error.status !== 412)) throw error;
      const { live = [], draft = [] } = objectOf(error.body['difference']);
      const changes = error.body['code'] === 'DRAFT_MOVED' ? draft : live;
      const paths = listOf(changes).map((change) => textOf(objectOf(change)['path']));
      throw movedSince(folder, paths.length > 0 ? paths : [error.message], error.status);
    }
  }
}

const movedSince = (folder: string, paths: readonly string[], status = 409): Refused =>
  new Refused([
    `${folder}: ${status}: somebody changed it meanwhile: ${paths.join(', ')}; run callwright pull`,
  ]);

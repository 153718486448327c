import type { Json, JsonObject, JsonWithDefault, Nullable, WithDefault } from './types.ts';

export type TestState = 'queued' | 'running' | 'passed' | 'failed' | 'not_judged' | 'error';

export interface AgentTestCaseTable {
  workspace_id: string;
  id: string;
  agent_id: string;
  name: string;
  definition: Json<JsonObject>;
  source_id: Nullable<string>;
  created_at: Date;
  updated_at: Date;
}

export interface AgentTestRunTable {
  workspace_id: string;
  id: string;
  agent_id: string;
  version_id: string;
  runs_tools: boolean;
  on_model_failure: WithDefault<'error' | 'script'>;
  created_at: Date;
}

export interface AgentTestResultTable {
  workspace_id: string;
  run_id: string;
  case_id: string;
  version_id: string;
  position: number;
  definition: Json<JsonObject>;
  state: TestState;
  turns: JsonWithDefault<readonly JsonObject[]>;
  verdicts: JsonWithDefault<readonly JsonObject[]>;
  end_reason: Nullable<string>;
  error: Nullable<string>;
  version_changed_at: Nullable<Date>;
  started_at: Nullable<Date>;
  ended_at: Nullable<Date>;
  updated_at: Date;
}

/** A value of a YAML or JSON document. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

/** The settings of one agent as its files have them: names instead of ids, `{secret: NAME}` instead of masks. */
export type Settings = JsonObject;

/** What the last pull or apply saw of one agent. */
export interface AgentState {
  readonly id: string;
  /** The digest of each setting. */
  readonly settings: Readonly<Record<string, string>>;
}
/** `.callwright/state.json`: which folder is which agent. */
export interface State {
  readonly format: 1;
  readonly workspace_id: string;
  /** By folder. */
  readonly agents: Readonly<Record<string, AgentState>>;
}

/** One agent as the service answers it. */
export interface LiveAgent {
  readonly id: string;
  /** The ETag of the agent. */
  readonly tag: string;
  /** The fields of the agent record. */
  readonly record: JsonObject;
  /** The active version, an entry of `version_details`. */
  readonly version: JsonObject;
  /** Oldest first. */
  readonly cases: readonly JsonObject[];
}
/** A workspace as the service answers it. */
export interface Live {
  readonly workspaceId: string;
  readonly agents: readonly LiveAgent[];
  readonly bases: readonly { readonly id: string; readonly name: string }[];
  readonly numbers: readonly {
    readonly id: string;
    readonly number: string;
    readonly agentId: string | null;
  }[];
}

/** A document that cannot be used, with a sentence for each reason. */
export class Refused extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The object without its keys that are null. */
export const withoutNulls = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, own]) => own !== null));

const SLUG = 60;

/** A name of a file: letters of ASCII, digits and hyphens. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(0, SLUG)
    .replaceAll(/^-|-$/gu, '');

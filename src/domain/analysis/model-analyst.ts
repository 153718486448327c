import type { Evaluation } from '../../store/json/call-record.ts';
import type {
  Analysis,
  AnalysisInput,
  Analyst,
  CallbackRequest,
  ClientValue,
  Sentiment,
} from './analysis.ts';
import { labelsOf, modelAnswer, modelRequest } from './model-request.ts';
import { clip } from './exchanges.ts';

/** Tokens of one answer; null: the vendor did not report them. */
export interface AnswerUsage {
  readonly vendor: string;
  readonly model: string;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}

/** A language model that returns JSON text. The implementation bounds size and time. */
export interface StructuredModel {
  readonly name: string;
  /** The models that may answer, in order of preference; absent: unknown. */
  readonly models?: readonly { readonly vendor: string; readonly model: string }[];
  answer(request: {
    readonly system: string;
    /** Alternating roles, the user first. */
    readonly messages: readonly string[];
    readonly schema: Record<string, unknown>;
    /** Most tokens of the answer; absent: those of an analysis. */
    readonly mostTokens?: number;
    /** From 0, the default: how freely the model words its answer. */
    readonly temperature?: number;
    /** Called with what the vendor charges for the answer. */
    readonly onUsage?: (usage: AnswerUsage) => void;
  }): Promise<string>;
}

/** The model's answer violated the schema twice. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** An analyst over a model, with one repair request that lists the schema violations. */
export const modelAnalyst = (model: StructuredModel): Analyst => ({
  name: model.name,
  async analyse(input: AnalysisInput): Promise<Analysis> {
    const { system, user, schema } = modelRequest(input);
    const first = await model.answer({ system, messages: [user], schema });
    const reading = readModelAnswer(first, input);
    if (reading.ok) return { ...reading.analysis, analyst: model.name };
    const repair = `The answer does not fit: ${reading.problems.slice(0, 10).join('; ')}. Answer with the whole corrected JSON object only.`;
    const second = readModelAnswer(
      await model.answer({ system, messages: [user, first.slice(0, 8_000), repair], schema }),
      input,
    );
    if (second.ok) return { ...second.analysis, analyst: model.name };
    throw new UnusableAnswer('the model returned no valid analysis');
  },
});

const MOST_ITEMS = 20;
const LONGEST_ITEM = 500;
const LONGEST_SUMMARY = 2_000;
const LONGEST_TEXT = 1_000;
const YEAR_MS = 366 * 86_400_000;
const SENTIMENTS: readonly unknown[] = ['positive', 'neutral', 'negative'];
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

export type ModelReading =
  | { readonly ok: true; readonly analysis: Omit<Analysis, 'analyst'> }
  /** The schema violations, for the repair request. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Parses a model's answer, which is untrusted text: accepts only values that fit their types and bounds. */
export function readModelAnswer(answer: string, input: AnalysisInput): ModelReading {
  const sent = jsonObjectIn(answer);
  if (sent === null) return { ok: false, problems: ['the answer is not one JSON object'] };
  const problems: string[] = [];
  const check = (ok: boolean, problem: string): void => {
    if (!ok) problems.push(problem);
  };
  const { summary, classification, keyPoints, actionItems, sentiment, callbackRequested, ...more } =
    modelAnswer.read(sent);
  check(typeof summary === 'string' && summary.trim() !== '', 'summary must be a text');
  check(
    classification === null || labelsOf(input).some((label) => label === classification),
    'classification must be one of classification_labels or null',
  );
  check(isTexts(keyPoints), 'key_points must be an array of texts');
  check(isTexts(actionItems), 'action_items must be an array of texts');
  check(SENTIMENTS.includes(sentiment), 'sentiment must be positive, neutral or negative');
  check(typeof callbackRequested === 'boolean', 'callback_requested must be a boolean');
  const at = more.callbackRequestedTime ?? null;
  check(
    at === null || instantOf(at, input.endedAt) !== null,
    'callback_requested_time must be an instant to come',
  );
  const client = clientValues(more.client, input, problems);
  const evaluations = verdicts(more.evaluations, input, problems);
  if (problems.length > 0) return { ok: false, problems };
  const callback: CallbackRequest | null =
    callbackRequested === true ? { words: '', at: instantOf(at, input.endedAt) } : null;
  return {
    ok: true,
    analysis: {
      findings: {
        summary: clip(String(summary), LONGEST_SUMMARY),
        classification: classification as string | null,
        keyPoints: items(keyPoints),
        actionItems: items(actionItems),
        sentiment: sentiment as Sentiment,
        callback,
      },
      client,
      evaluations,
    },
  };
}

/** The JSON object in a model's answer, with or without a code fence; null: it has none. */
export function jsonObjectIn(answer: string): Record<string, unknown> | null {
  const from = answer.indexOf('{');
  const to = answer.lastIndexOf('}');
  if (from < 0 || to < from) return null;
  try {
    const value: unknown = JSON.parse(answer.slice(from, to + 1));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const items = (value: unknown): string[] =>
  (isTexts(value) ? value : [])
    .filter((item) => item.trim() !== '')
    .slice(0, MOST_ITEMS)
    .map((item) => clip(item, LONGEST_ITEM));

/** An instant after the call and within a year of it; null for anything else. */
function instantOf(value: unknown, endedAt: number): number | null {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(value)
  )
    return null;
  const at = Date.parse(value);
  return Number.isFinite(at) && at > endedAt && at < endedAt + YEAR_MS ? at : null;
}

/** Missing and null values become the default; a value of a wrong type is a violation and is dropped. */
function clientValues(
  value: unknown,
  input: AnalysisInput,
  problems: string[],
): Record<string, ClientValue> | null {
  if (input.client === null) return null;
  const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const values: Record<string, ClientValue> = {};
  for (const [name, key] of Object.entries(input.client.keys)) {
    const found = Object.hasOwn(given, name) ? given[name] : null;
    if (found === null || found === undefined) values[name] = key.default ?? null;
    else if (fits(found, key.type, key.values ?? [])) {
      values[name] = typeof found === 'string' ? clip(found, LONGEST_TEXT) : (found as ClientValue);
    } else {
      values[name] = key.default ?? null;
      problems.push(`client.${name} must be of the type ${key.type}, or null`);
    }
  }
  return values;
}

const RESULTS: readonly unknown[] = ['passed', 'failed', 'not_judged'];

/** The model's judgement on each criterion; a missing one is a violation. */
function verdicts(value: unknown, { evaluations }: AnalysisInput, problems: string[]): Evaluation[] {
  const given = isObject(value) ? value : {};
  return evaluations.map(({ name }) => {
    const { result, reason } = Object.hasOwn(given, name) && isObject(given[name]) ? given[name] : {};
    if (!RESULTS.includes(result) || typeof reason !== 'string')
      problems.push(`evaluations.${name} must have a result (passed, failed or not_judged) and a reason`);
    return {
      name,
      result: result as Evaluation['result'],
      reason: typeof reason === 'string' ? clip(reason, LONGEST_ITEM) : '',
    };
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function fits(value: unknown, type: string, values: readonly string[]): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'enum':
      return typeof value === 'string' && values.includes(value);
    case 'date':
      return typeof value === 'string' && isDate(value);
    default:
      return typeof value === 'string';
  }
}

function isDate(value: string): boolean {
  const parts = DATE.exec(value);
  if (parts === null) return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(value);
}

import type { ErrorObject } from 'ajv';

export interface SchemaProblem {
  field: string;
  message: string;
}

/** Further problems are not reported. */
const MAX_PROBLEMS = 100;

/**
 * Turns Ajv errors (options `verbose` and `allErrors`) into full field paths with a rule as predicate:
 * `call_config.call_time.timezone` + `must be a string`. A schema's `x-rule` replaces the generated rule. `root` names the
 * value as a whole if a problem has no field.
 */
export function schemaProblems(found: readonly ErrorObject[], root: string): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const seen = new Set<string>();
  // Ajv reports a union and each of its branches. Report a union with an `x-rule` by that rule only, and any other union
  // by its first branch that is not `null`.
  const isUnion = (e: ErrorObject): boolean => e.keyword === 'anyOf' || e.keyword === 'oneOf';
  const pathsOf = (some: readonly ErrorObject[]): string[] => [
    ...new Set(some.map((e) => `${e.schemaPath}/`)),
  ];
  const unions = pathsOf(found.filter(isUnion));
  const ruled = pathsOf(found.filter((e) => isUnion(e) && ownRule(e) !== null));
  for (const error of found) {
    if (isUnion(error) ? ownRule(error) === null : isBranchOf(ruled, error)) continue;
    if (error.keyword === 'type' && isNullBranch(error) && isBranchOf(unions, error)) continue;
    const problem = toProblem(error, root);
    if (seen.has(problem.field)) continue;
    seen.add(problem.field);
    problems.push(problem);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems;
}

const isBranchOf = (unions: readonly string[], error: ErrorObject): boolean =>
  unions.some((path) => error.schemaPath.startsWith(path));
const isNullBranch = (error: ErrorObject): boolean => error.params['type'] === 'null';

function toProblem(error: ErrorObject, root: string): SchemaProblem {
  const path = fieldPath(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const child = (name: unknown): string => (path === '' ? String(name) : `${path}.${String(name)}`);
  if (error.propertyName !== undefined || error.keyword === 'propertyNames') {
    return { field: path || root, message: 'has a key that is empty or too long' };
  }
  switch (error.keyword) {
    case 'required':
      return { field: child(params['missingProperty']), message: 'is required' };
    case 'discriminator':
      return { field: child(params['tag']), message: tagRule(error) };
    case 'additionalProperties':
      return { field: child(params['additionalProperty']), message: 'is not a known field' };
    default:
      return { field: path || root, message: ownRule(error) ?? generatedRule(error, params) };
  }
}

/** The allowed values of a discriminator. */
function tagRule(error: ErrorObject): string {
  const shapes = (error.parentSchema?.['oneOf'] ?? []) as {
    properties?: Record<string, { enum?: string[] }>;
  }[];
  const tag = String((error.params as Record<string, unknown>)['tag']);
  return `must be one of ${shapes.flatMap((shape) => shape.properties?.[tag]?.enum ?? []).join(', ')}`;
}

function ownRule(error: ErrorObject): string | null {
  const rule: unknown = error.parentSchema?.['x-rule'];
  return typeof rule === 'string' ? rule : null;
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};
const plural = (n: unknown, noun: string): string => `${String(n)} ${noun}${n === 1 ? '' : 's'}`;

function generatedRule(error: ErrorObject, params: Record<string, unknown>): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${[params['type']]
        .flat()
        .map((t) => ARTICLES[String(t)] ?? String(t))
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'minLength':
      return params['limit'] === 1
        ? 'must not be empty'
        : `must be at least ${plural(params['limit'], 'character')} long`;
    case 'maxLength':
      return `must be at most ${plural(params['limit'], 'character')} long`;
    case 'minItems':
      return `must hold at least ${plural(params['limit'], 'item')}`;
    case 'maxItems':
      return `must hold at most ${plural(params['limit'], 'item')}`;
    case 'minProperties':
      return `must hold at least ${plural(params['limit'], 'key')}`;
    case 'maxProperties':
      return `must hold at most ${plural(params['limit'], 'key')}`;
    case 'minimum':
      return `must be at least ${String(params['limit'])}`;
    case 'maximum':
      return `must be at most ${String(params['limit'])}`;
    case 'format':
      return `must be a valid ${String(params['format'])}`;
    default:
      return 'is not valid';
  }
}

/** `/event_subscriptions/0/headers/x~1y` becomes `event_subscriptions[0].headers.x/y`. */
function fieldPath(instancePath: string): string {
  return instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100))
    .reduce((path, part) => {
      if (/^\d+$/.test(part)) return `${path}[${part}]`;
      return path === '' ? part : `${path}.${part}`;
    }, '');
}
